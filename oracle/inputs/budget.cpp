#include "oracle/inputs/budget.h"

#include "oracle/inputs/exactness.h"
#include "oracle/inputs/random.h"

#include <algorithm>

namespace lockstep {
namespace {

// At 2^14 itself a tensor core's sum of FP8 products drops a 1.
constexpr Index largest_fp8_sum = (Index{1} << 14) - 1;

// More levels show nothing more; a scale from an amax of 7 needs room for 7 * 7.
Index enough(const Call& call) { return has_tensor_scale(call.recipe) ? Index{1} << 14 : Index{1} << 12; }

Index limit(const Call& call, std::initializer_list<DType> types) {
  Index least = enough(call);
  if ((call.arithmetic != Arithmetic::f32 || call.executor.device == RunsOn::cuda) && is_fp8(call.recipe))
    least = std::min(least, largest_fp8_sum);
  for (DType type : types) least = std::min(least, largest_exact_integer(type));
  return least;
}

// What one rank may hand to a reduction over all of them.
Index share_of_a_rank(const Call& call, Role role) {
  const Index share = limit(call, {call.dtype, call.wire}) / call.tp;
  return call.fp8_wire ? std::min(share, largest_exact_integer(fp8_type(role))) : share;
}

Index least_share(const Shares& s, const Multipliers& m) {
  Index least = Index{1} << 40;
  if (s.forward > 0) least = std::min(least, s.forward / (m.x * m.w));
  if (s.dgrad > 0) least = std::min(least, s.dgrad / (m.dy * m.w));
  if (s.wgrad > 0) least = std::min(least, s.wgrad / (m.dy * m.x));
  return least;
}

bool fits(const Call& call, const Shares& shares, const Multipliers& m) {
  return least_share(shares, m) >= (needs_sevens(call) ? 2 * 7 * 7 : 2);
}

}  // namespace

Shares shares_of(const Case& a_case) {
  const Call& call = a_case.first();
  const auto biased = [](const Call& c) { return c.bias != BiasPlacement::none; };
  const bool outweighs = has_tensor_scale(call.recipe);
  Shares shares;
  if (call.is_forward()) {
    const Index share = call.is_row() ? share_of_a_rank(call, Role::y) : limit(call, {call.dtype});
    shares.forward = share;
    if (std::ranges::any_of(a_case.calls, biased)) {
      const Index bias = std::max<Index>(1, share / 3);
      shares.forward = outweighs ? share / 4 : share - bias;
      shares.bias = outweighs ? Range{2 * shares.forward, share - shares.forward + 1} : Range{1, bias + 1};
    }
  }
  if (call.is_backward())
    shares.dgrad = reduces(call) && !call.is_row() ? share_of_a_rank(call, Role::dx) : limit(call, {call.dtype});
  if (call.is_backward() && !call.frozen) {
    const Index all = limit(call, {call.accumulate.value_or(call.dtype)});
    const Index calls = std::ssize(a_case.calls);
    shares.wgrad = !call.accumulate ? all : all / (outweighs ? 3 * calls + 1 : calls + 1);
    if (call.accumulate) shares.main_grad = {outweighs ? 2 * calls * shares.wgrad : 0, all - calls * shares.wgrad + 1};
  }
  return shares;
}

bool needs_sevens(const Call& call) {
  const bool f32 = call.dtype == DType::f32, f32_over_wire = !call.fp8_wire && call.wire == DType::f32;
  const bool meets_others = reduces(call) && (f32_over_wire || reducing_method(call) == Method::accumulate);
  const bool y = call.is_forward() && !call.is_row() && f32;
  const bool dx = call.is_backward() && call.is_row() && f32;
  const bool dw = call.is_backward() && !call.frozen && call.accumulate.value_or(call.dtype) == DType::f32;
  return has_tensor_scale(call.recipe) && (meets_others || y || dx || dw);
}

bool has_room(const Case& a_case) {
  if (!is_mixed(a_case)) return fits(a_case.first(), shares_of(a_case), {});
  return std::ranges::all_of(a_case.calls, [](const Call& call) { return has_room({{call}}); });
}

Index largest_factor(const Call& call, const Shares& shares, const Multipliers& m) {
  Index size = 1;
  while (size < 7 && 2 * (size + 1) * (size + 1) <= least_share(shares, m)) ++size;
  if (!has_tensor_scale(call.recipe) || needs_sevens(call)) return size;
  return size >= 4 ? 4 : size >= 2 ? 2 : 1;
}

Multipliers multipliers_of(const Case& a_case, const Shares& shares) {
  const Call& call = a_case.first();
  if (!has_tensor_scale(call.recipe) || call.fp8_wire) return {};
  Random random(call.seed, 0x3571u);
  constexpr Index choices[] = {1, 3, 5, 9, 11};
  for (int attempt = 0; attempt < 8; ++attempt) {
    const Multipliers m{choices[random.between(0, 4)], choices[random.between(0, 4)], choices[random.between(0, 4)]};
    if (fits(call, shares, m)) return m;
  }
  return {};
}

}  // namespace lockstep
