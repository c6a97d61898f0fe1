// Exact products of any size in little time:  C = A B^T with whole numbers up to `largest`.
//
// The rows of A are 16 rows over and over, each time with a sign of its own, and so are those of B: C takes 256 K + M N
// steps.
#pragma once

#include "oracle/inputs/random.h"
#include "reference/contract/tensor.h"

namespace lockstep {

struct ExactProduct {
  Tensor a, b, c;
};

inline ExactProduct exact_product(Index m, Index n, Index k, DType operand, DType output, Index largest,
                                  std::uint64_t seed) {
  constexpr Index period = 16;
  const auto numbers = [&](Index cols, Index most, std::uint64_t stream) {
    Random random(seed, stream);
    MatrixOf<Index> some(period, cols);
    for (Index& value : some.values) value = random.between(-most, most);
    return some;
  };
  const MatrixOf<Index> a = numbers(k, largest, 1), b = numbers(k, largest, 2);
  const auto sign = [=](Index i, std::uint64_t stream) { return Random(seed, stream, i).coin() ? 1 : -1; };
  const auto encoded = [](DType type, Index rows, Index cols, const auto& at) {
    Tensor tensor = poisoned(type, rows, cols);
    std::byte* to = tensor.bytes.data();
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j, to += bytes_of(type))
        store_code(type, to, encode(type, static_cast<float>(at(i, j))));
    return tensor;
  };
  MatrixOf<Index> c(period, period);
  for (Index i = 0; i < period; ++i)
    for (Index j = 0; j < period; ++j)
      for (Index at = 0; at < k; ++at) c(i, j) += a(i, at) * b(j, at);
  std::vector<Index> row_sign, col_sign;
  for (Index i = 0; i < m; ++i) row_sign.push_back(sign(i, 3));
  for (Index j = 0; j < n; ++j) col_sign.push_back(sign(j, 4));
  const auto of = [](const std::vector<Index>& signs, Index i) { return signs[static_cast<std::size_t>(i)]; };
  return {encoded(operand, m, k, [&](Index i, Index at) { return of(row_sign, i) * a(i % period, at); }),
          encoded(operand, n, k, [&](Index j, Index at) { return of(col_sign, j) * b(j % period, at); }),
          encoded(output, m, n,
                  [&](Index i, Index j) { return of(row_sign, i) * of(col_sign, j) * c(i % period, j % period); })};
}

}  // namespace lockstep
