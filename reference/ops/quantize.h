// Quantize: a matrix as an operand of a GEMM, in codes and scales, by the recipes of reference/contract/recipe.h.
#pragma once

#include "reference/ops/ranks.h"

namespace lockstep {

// value[i, k] = codes[i, k] * scale_inv of its place; not scaled: the codes are the values.
//
//   tensor    scale_inv [1, 1]
//   rows      scale_inv [rows, blocks of K]
//   squares   scale_inv [blocks of rows, blocks of K]
template <typename Number>
struct Quantized {
  MatrixOf<Number> codes;
  bool is_scaled = false;
  MatrixOf<Number> scale_inv{};
  ScaleGrid grid = ScaleGrid::tensor;
  std::vector<Range> k_blocks{};
  DType type = DType::f32;      // of scaled codes
  std::vector<Index> wanted{};  // rows that a product computes (sample.h); none: all
};

template <typename Number>
Number amax(const MatrixOf<Number>& values) {
  Number largest{};
  for (const Number& value : values.values) largest = larger(largest, amax_of(value));
  return largest;
}

// What a tensor-scaled recipe keeps of a role on one rank.
template <typename Number>
struct ScaleState {
  Number scale{};
  std::vector<Number> history{};
};

// After a call with this amax.
template <typename Number>
ScaleState<Number> updated(ScaleState<Number> state, const Recipe& recipe, DType type, Number amax);

// x [rows, K]. `state` is read by delayed scaling alone.
template <typename Number>
Quantized<Number> quantize(const Recipe& recipe, Role role, const MatrixOf<Number>& x, const ScaleState<Number>& state);

// x^T [columns, K = rows of x]: with one scale, or in squares, the codes of x turned; in rows quantised anew along K,
// blocks starting at each of k_parts parts of it.
template <typename Number>
Quantized<Number> quantize_transposed(const Recipe& recipe, Role role, const MatrixOf<Number>& x,
                                      const ScaleState<Number>& state, Index k_parts);

// The values that the codes stand for.
template <typename Number>
MatrixOf<Number> dequantize(const Quantized<Number>& q);

}  // namespace lockstep
