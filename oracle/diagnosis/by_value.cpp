#include "oracle/diagnosis/hypotheses.h"

#include <fmt/format.h>

#include <cmath>

namespace lockstep {
namespace {

constexpr int most_exponent = 16;

void add_constants(Hypotheses& all, const Evidence& evidence) {
  const DType type = evidence.type;
  const auto poison = ~std::uint32_t{0} >> (32 - format(type).bits);
  all.push_back({"never written", 0, [=](const Element& e) { return e.code == poison; }});
  all.push_back(
      {"not a number: made from something never written", 1, [](const Element& e) { return std::isnan(e.got); }});
}

Hypothesis times(DType type, Index cost, std::string words, double factor) {
  return {std::move(words), cost, [=](const Element& e) { return is_got(e, type, factor * e.want); }};
}

// A factor that is no power of two is read off one element, so it must explain two other values.
void add_any_factor(Hypotheses& all, const Evidence& evidence) {
  const Element* first = nullptr;
  std::set<float> explained;
  for (const Held& held : evidence.held)
    for (const Element& e : held.elements) {
      if (!e.differs || e.want == 0 || !std::isfinite(e.got)) continue;
      if (!first) first = &e;
      if (is_got(e, evidence.type, static_cast<double>(first->got) / first->want * e.want))
        explained.insert(std::abs(e.want));
    }
  if (!first || first->got == 0 || explained.size() < 3) return;
  const double factor = static_cast<double>(first->got) / first->want;
  int exponent = 0;
  if (std::abs(std::frexp(factor, &exponent)) != 0.5 || std::abs(exponent - 1) > most_exponent)
    all.push_back(times(evidence.type, 6, fmt::format("times {:.6g}", factor), factor));
}

void add_factors(Hypotheses& all, const Evidence& evidence) {
  all.push_back(says(evidence.type, 3, "zero", [](const Element&) { return 0.0; }));
  all.push_back(times(evidence.type, 2, "negated", -1));
  for (int e = -most_exponent; e <= most_exponent; ++e) {
    if (e == 0) continue;
    const double factor = std::ldexp(1.0, e);
    const std::string words = fmt::format("times {}{}", e > 0 ? "" : "1/", std::ldexp(1.0, std::abs(e)));
    all.push_back(times(evidence.type, 3, words, factor));
    all.push_back(times(evidence.type, 4, words + " and negated", -factor));
  }
  add_any_factor(all, evidence);
}

// Outputs of a call before have the same places where they have the same shape.
void add_left_over(Hypotheses& all, const Prepared& prepared, const Evidence& evidence) {
  const auto now = prepared.wanted[static_cast<std::size_t>(evidence.call)].find(evidence.output)->second;
  const Problem problem = problem_of(prepared.a_case.calls[static_cast<std::size_t>(evidence.call)]);
  for (Index call = 0; call < evidence.call; ++call) {
    const auto& of_call = prepared.wanted[static_cast<std::size_t>(call)];
    const auto then = of_call.find(evidence.output);
    if (then == of_call.end()) continue;
    const auto& ranks = then->second;
    all.push_back(
        {fmt::format("left over from call {}", call), 2, [&, problem, output = evidence.output](const Element& e) {
           const Tensor& tensor = ranks[static_cast<std::size_t>(e.rank)];
           const Origin origin = origin_of(problem, output, e.rank);
           const Index i = e.row - origin.row, j = e.col - origin.col;
           return i < tensor.rows && j < tensor.cols && code_at(tensor, i, j) == e.code;
         }});
  }
}

}  // namespace

bool is_got(const Element& e, DType type, double value) {
  const float rounded = round_to(type, static_cast<float>(value));
  if (std::abs(rounded) <= e.noise && std::abs(e.got) <= e.noise) return true;
  return rounded == e.got || (std::isnan(rounded) && std::isnan(e.got));
}

Hypotheses by_factor(const Evidence& evidence) {
  Hypotheses all;
  add_factors(all, evidence);
  return all;
}

Hypotheses by_value(const Prepared& prepared, const Evidence& evidence) {
  Hypotheses all;
  add_constants(all, evidence);
  add_factors(all, evidence);
  add_left_over(all, prepared, evidence);
  return all;
}

}  // namespace lockstep
