#include "oracle/mutants/operators.h"

namespace lockstep {
namespace {

using enum Operator;

std::vector<Operator> and_also(std::vector<Operator> some, std::initializer_list<Operator> others) {
  some.insert(some.end(), others);
  return some;
}

const std::vector<Operator> of_numbers{plus_one, minus_one, sibling_split, sibling_rank};
const std::vector<Operator> of_lengths{plus_one, minus_one, plus_stride, minus_stride, sibling_split, sibling_rank};

}  // namespace

std::string_view name(Operator which) {
  constexpr std::string_view names[] = {
      "+1",   "-1",  "+ leading dimension", "- leading dimension", "that of another split", "that of another rank",
      "drop", "add", "duplicate",           "swap with the next"};
  return names[static_cast<std::size_t>(which)];
}

std::string_view name(FieldClass which) {
  constexpr std::string_view names[] = {"buffer", "peer",   "offset", "slot",  "extent", "leading dimension",
                                        "layout", "format", "recipe", "scale", "bias",   "accumulate",
                                        "amax",   "source", "signal", "lane",  "edge",   "order"};
  return names[static_cast<std::size_t>(which)];
}

std::vector<Operator> operators_of(FieldClass which) {
  switch (which) {
    case FieldClass::offset:
    case FieldClass::slot:
    case FieldClass::extent:
    case FieldClass::leading_dimension:
      return of_lengths;
    case FieldClass::bias:
    case FieldClass::amax:
      return {drop};
    case FieldClass::accumulate:
      return {drop, add};
    case FieldClass::layout:
      return {plus_one};
    case FieldClass::source:
      return {plus_one, drop, duplicate, swap};
    case FieldClass::scale:
      return and_also(of_numbers, {drop, duplicate, swap});
    case FieldClass::edge:
      return and_also(of_numbers, {drop, duplicate});
    case FieldClass::order:
      return {drop, duplicate, swap};
    default:
      return of_numbers;
  }
}

}  // namespace lockstep
