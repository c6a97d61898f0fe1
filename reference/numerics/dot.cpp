#include "reference/numerics/dot.h"

#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

template <typename Sum>
float sum_in_order(const FactorRow& a, const FactorRow& b, Range k) {
  Sum sum = 0;
  for (Index i = k.begin; i < k.end; ++i) sum += Sum{a.values[i]} * Sum{b.values[i]};
  return static_cast<float>(sum);
}

float promoted(const Accumulator& core, const FactorRow& a, const FactorRow& b, Range k) {
  CHECK(core.promote_every % core.products == 0, "a promotion in the middle of a step");
  float sum = 0;
  for (Index begin = k.begin; begin < k.end; begin += core.promote_every)
    sum += tensor_core_walk(core, a, b, {begin, std::min(begin + core.promote_every, k.end)});
  return sum;
}

}  // namespace

float dot(const Accumulator& accumulator, const FactorRow& a, const FactorRow& b, Range k) {
  switch (accumulator.summation) {
    case Summation::exact:
      return sum_in_order<double>(a, b, k);
    case Summation::f32:
      return sum_in_order<float>(a, b, k);
    case Summation::tensor_core:
      break;
  }
  return accumulator.promote_every == 0 ? tensor_core_walk(accumulator, a, b, k) : promoted(accumulator, a, b, k);
}

}  // namespace lockstep
