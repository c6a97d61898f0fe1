#include "oracle/campaign/draw.h"

#include "oracle/inputs/random.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr Index most_splits = 9, most_tp = 9, most_tokens = 70, most_features = 130;

// In [1, most]; half of the time in the first sixteenth or so.
Index size(Random& random, Index most) { return random.between(1, random.coin() ? most / 16 + 2 : most); }

bool once_in(Random& random, Index n) { return random.between(1, n) == 1; }

DType storage_type(Random& random) {
  constexpr DType types[] = {DType::bf16, DType::bf16, DType::fp16, DType::f32};
  return types[random.between(0, 3)];
}

void draw_shape(Call& call, Random& random) {
  call.tokens = once_in(random, 32) ? 0 : size(random, most_tokens);
  call.in = size(random, most_features);
  call.out = size(random, most_features);
  call.splits = random.between(1, most_splits);
  call.bias = once_in(random, 4) ? BiasPlacement::none : BiasPlacement::per_rank;
}

void draw_group(Call& call, Random& random, const Fixed& fixed) {
  call.op = random.coin() ? Kernel::gemm_rs : Kernel::row_linear;
  call.tp = random.between(call.op == Kernel::row_linear ? 2 : 1, most_tp);
  call.dtype = storage_type(random);
  call.wire = random.coin() ? call.dtype : storage_type(random);
  const Executor adversary{ExecutorKind::adversary, static_cast<std::uint64_t>(random.between(0, 999))};
  call.executor = fixed.executor.value_or(once_in(random, 4) ? Executor{} : adversary);
  call.fault = fixed.fault;
}

// rank_bits where its bits fit, address where there is no bias for it to leave out.
Data draw_data(const Case& a_case, Random& random) {
  const auto any_bias =
      std::ranges::any_of(a_case.calls, [](const Call& c) { return c.bias == BiasPlacement::per_rank; });
  switch (random.between(0, 7)) {
    case 0:
      return a_case.first().tp <= 8 ? Data::rank_bits : Data::planted;
    case 1:
      return any_bias ? Data::planted : Data::address;
    case 2:
    case 3:
    case 4:
      return Data::normal;
    default:
      return Data::planted;
  }
}

}  // namespace

Case draw_case(std::uint64_t seed, Index number, Index attempt, const Fixed& fixed) {
  Random shapes(seed, number), values(seed, number, attempt, 1);
  Call call;
  draw_group(call, shapes, fixed);
  Case a_case{.calls = {}};
  const Index calls = once_in(shapes, 2) ? 1 : shapes.between(2, 3);
  for (Index which = 0; which < calls; ++which) {
    if (which == 0 || !once_in(shapes, 3)) draw_shape(call, shapes);
    a_case.calls.push_back(call);
  }
  const Data data = fixed.data.value_or(draw_data(a_case, values));
  const auto data_seed = static_cast<std::uint64_t>(values.between(0, 99'999));
  for (Call& each : a_case.calls) each.data = data, each.seed = data_seed;
  return a_case;
}

}  // namespace lockstep
