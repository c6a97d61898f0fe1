#include "oracle/inputs/inputs.h"

#include "oracle/inputs/exactness.h"
#include "oracle/inputs/planted.h"
#include "oracle/inputs/random.h"
#include "oracle/inputs/shards.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// x, w and b of each rank by functions of (rank, row, column), and b with that of a column.
template <typename X, typename W, typename B>
NamedTensors elementwise(const Problem& p, X x_at, W w_at, B b_at) {
  const auto of_shape = [&](auto shape_of, auto at) {
    return of_each_rank(p, p.dtype, [&](Index rank) {
      const Shape shape = shape_of(rank);
      Matrix m(shape.rows, shape.cols);
      for (Index i = 0; i < m.rows; ++i)
        for (Index j = 0; j < m.cols; ++j) m(i, j) = at(rank, i, j);
      return m;
    });
  };
  NamedTensors inputs;
  inputs["x"] = of_shape([&](Index r) { return p.x_of(r); }, x_at);
  inputs["w"] = of_shape([&](Index r) { return p.w_of(r); }, w_at);
  inputs["b"] = of_shape([&](Index r) { return p.b_of(r); }, [&](Index rank, Index, Index j) { return b_at(rank, j); });
  return inputs;
}

// Rank r contributes 2^r to every element: where it has no product its bias does, and else the two share it in a way
// that changes from column to column: (0, 2^r) or (2^(r+1), -2^r).
NamedTensors rank_bits(const Problem& problem, std::uint64_t seed) {
  const Index largest = std::min(largest_exact_integer(problem.wire), largest_exact_integer(problem.dtype));
  if (problem.tp >= 62 || (Index{1} << problem.tp) > largest)
    refuse("data=rank_bits tp={}: a sum of {} powers of two does not fit {} and {}: take tp up to {}, or another data",
           problem.tp, problem.tp, name(problem.dtype), name(problem.wire), std::log2(largest));
  const auto in_bias = [=](Index rank, Index col) {
    return problem.biased() && (problem.in_of(rank).empty() || Random(seed, rank, col).coin());
  };
  const auto bit = [](Index rank) { return std::ldexp(1.0f, static_cast<int>(rank)); };
  return elementwise(
      problem, [](Index, Index, Index k) { return k == 0 ? 1.0f : 0.0f; },
      [=](Index rank, Index j, Index k) {
        if (k != 0 || in_bias(rank, j)) return 0.0f;
        return problem.biased() ? 2 * bit(rank) : bit(rank);
      },
      [=](Index rank, Index j) {
        return in_bias(rank, j) ? bit(rank) : problem.in_of(rank).empty() ? 0.0f : -bit(rank);
      });
}

// The n-th of the values that both types have: sign, exponent and fraction counted through.
float nth_common_value(DType a, DType b, Index n) {
  const int fraction_bits = std::min(format(a).fraction_bits, format(b).fraction_bits);
  const int bias = std::min(format(a).bias, format(b).bias);
  const Index fractions = Index{1} << fraction_bits, exponents = 2 * bias - 1;
  const Index fraction = n % fractions, exponent = n / fractions % exponents, sign = n / fractions / exponents % 2;
  const float size = std::ldexp(1.0f + static_cast<float>(fraction) / static_cast<float>(fractions),
                                static_cast<int>(exponent - bias + 1));
  return sign ? -size : size;
}

// Row i of X is one-hot at a column of the whole in; the biases are zero.
NamedTensors address(const Problem& p, std::uint64_t seed) {
  const auto hot = [=](Index row) { return Random(seed, row).between(0, std::max<Index>(p.in, 1) - 1); };
  return elementwise(
      p,
      [=](Index rank, Index i, Index k) {
        return p.in_of(rank).begin + k == hot(p.x_rows(rank).begin + i) ? 1.0f : 0.0f;
      },
      [=](Index rank, Index j, Index k) {
        const Index row = p.out_of(rank).begin + j, col = p.in_of(rank).begin + k;
        return nth_common_value(p.dtype, p.wire, col * p.out + row);
      },
      [](Index, Index) { return 0.0f; });
}

Matrix normal_matrix(const Shape& shape, Random random) {
  Matrix m(shape.rows, shape.cols);
  for (float& value : m.values) value = random.normal();
  return m;
}

NamedTensors normal(const Call& call, std::uint64_t seed) {
  const Problem p = problem_of(call);
  const auto tensors = [&](std::uint64_t which, auto shape_of) {
    return of_each_rank(p, p.dtype,
                        [&](Index rank) { return normal_matrix(shape_of(rank), Random(seed, which, rank)); });
  };
  NamedTensors inputs;
  inputs["x"] = tensors(0, [&](Index r) { return p.x_of(r); });
  inputs["w"] = tensors(1, [&](Index r) { return p.w_of(r); });
  if (call.is_forward()) inputs["b"] = tensors(2, [&](Index r) { return p.b_of(r); });
  if (call.is_backward()) inputs["dy"] = tensors(3, [&](Index r) { return p.y_of(r); });
  return inputs;
}

// Scales that hold values up to 4 or so, and amaxes of that size; the same on every rank where the tensor is gathered.
NamedTensors any_scales(const Call& call) {
  NamedTensors kept;
  const Problem p = problem_of(call);
  if (call.recipe.kind != RecipeKind::delayed) return kept;
  for (Role role : roles_of(p, call.pass)) {
    const auto amaxes = [&](Index rank, Index count) {
      Matrix m(1, count);
      Random random(call.seed, 0xA11u, role, is_gathered(p, role) ? 0 : rank, count);
      for (float& value : m.values) value = 2.0f + static_cast<float>(random.between(0, 1 << 20)) * 0x1p-18f;
      return m;
    };
    kept[scale_name(role)] = of_each_rank(p, DType::f32, [&](Index rank) {
      Matrix scale = amaxes(rank, 1);
      scale(0, 0) = format(fp8_type(role)).largest / scale(0, 0);
      return scale;
    });
    kept[history_name(role)] =
        of_each_rank(p, DType::f32, [&](Index rank) { return amaxes(rank, call.recipe.history); });
  }
  return kept;
}

NamedTensors one_call(const Call& call, std::uint64_t seed) {
  if (call.data == Data::rank_bits) return rank_bits(problem_of(call), seed);
  return call.data == Data::address ? address(problem_of(call), seed) : normal(call, seed);
}

}  // namespace

std::vector<NamedTensors> make_inputs(const Case& a_case) {
  const Call& first = a_case.first();
  if (first.data == Data::planted) return planted(a_case);
  std::vector<NamedTensors> inputs;
  for (std::size_t which = 0; which < a_case.calls.size(); ++which)
    inputs.push_back(one_call(a_case.calls[which], mix(a_case.calls[which].seed, which)));
  inputs[0].merge(any_scales(first));
  if (first.accumulate)
    inputs[0]["main_grad"] = of_each_rank(problem_of(first), *first.accumulate, [&](Index rank) {
      return normal_matrix(problem_of(first).w_of(rank), Random(first.seed, 0x6D67u, rank));
    });
  return inputs;
}

}  // namespace lockstep
