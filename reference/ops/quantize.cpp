#include "reference/ops/quantize.h"

#include "reference/numerics/block_scaling.h"

#include <algorithm>

namespace lockstep {
namespace {

template <typename Number>
Quantized<Number> in_tensor_scale(DType type, const MatrixOf<Number>& x, Number scale) {
  const auto codes =
      matrix_of<Number>(x.rows, x.cols, [&](Index i, Index j) { return quantized(type, x(i, j), scale); });
  return {codes, true, matrix_of<Number>(1, 1, [&](Index, Index) { return inverse(scale); }), ScaleGrid::tensor,
          {},    type};
}

template <typename Number>
Number amax(const MatrixOf<Number>& x, const Range& rows, const Range& cols) {
  Number largest{};
  for (Index i = rows.begin; i < rows.end; ++i)
    for (Index j = cols.begin; j < cols.end; ++j) largest = larger(largest, amax_of(x(i, j)));
  return largest;
}

template <typename Number>
Quantized<Number> in_blocks(const Recipe& recipe, DType type, const MatrixOf<Number>& x, ScaleGrid grid,
                            Index k_parts) {
  const auto row_blocks = blocks_of(x.rows, 1, grid == ScaleGrid::rows ? 1 : block_of(recipe));
  const auto k_blocks = blocks_of(x.cols, k_parts, block_of(recipe));
  Quantized<Number> q{x, true, {std::ssize(row_blocks), std::ssize(k_blocks)}, grid, k_blocks, type};
  for (Index r = 0; r < std::ssize(row_blocks); ++r)
    for (Index c = 0; c < std::ssize(k_blocks); ++c) {
      const Range rows = row_blocks[static_cast<std::size_t>(r)], cols = k_blocks[static_cast<std::size_t>(c)];
      const Number scale = block_scale(recipe.kind, type, amax(x, rows, cols));
      q.scale_inv(r, c) = inverse(scale);
      for (Index i = rows.begin; i < rows.end; ++i)
        for (Index j = cols.begin; j < cols.end; ++j) q.codes(i, j) = quantized(type, x(i, j), scale);
    }
  return q;
}

}  // namespace

template <typename Number>
ScaleState<Number> updated(ScaleState<Number> state, const Recipe& recipe, DType type, Number amax) {
  state.history.insert(state.history.begin(), amax);
  state.history.pop_back();
  Number from = state.history.front();
  if (recipe.amax == AmaxAlgorithm::max)
    for (std::size_t i = 1; i < state.history.size(); ++i) from = larger(from, state.history[i]);
  state.scale = delayed_scale(type, from, recipe.margin, state.scale);
  return state;
}

template <typename Number>
Quantized<Number> quantize(const Recipe& recipe, Role role, const MatrixOf<Number>& x,
                           const ScaleState<Number>& state) {
  const DType type = fp8_type(role);
  switch (recipe.kind) {
    case RecipeKind::none:
      return {x};
    case RecipeKind::delayed:
      return in_tensor_scale(type, x, state.scale);
    case RecipeKind::current:
      return in_tensor_scale(type, x, current_scale(type, amax(x)));
    case RecipeKind::block128:
    case RecipeKind::mxfp8:
      break;
  }
  return in_blocks(recipe, type, x, grid_of(recipe, role), 1);
}

template <typename Number>
Quantized<Number> quantize_transposed(const Recipe& recipe, Role role, const MatrixOf<Number>& x,
                                      const ScaleState<Number>& state, Index k_parts) {
  if (has_block_scales(recipe) && grid_of(recipe, role) == ScaleGrid::rows)
    return in_blocks(recipe, fp8_type(role), transposed(x), ScaleGrid::rows, k_parts);
  Quantized<Number> q = quantize(recipe, role, x, state);
  q.codes = transposed(q.codes);
  if (q.grid == ScaleGrid::squares) {
    q.scale_inv = transposed(q.scale_inv);
    q.k_blocks = blocks_of(q.codes.cols, 1, block_of(recipe));
  }
  return q;
}

template <typename Number>
MatrixOf<Number> dequantize(const Quantized<Number>& q) {
  if (!q.is_scaled) return q.codes;
  const auto block_of_k = [&](Index k) {
    Index block = 0;
    while (!q.k_blocks[static_cast<std::size_t>(block)].contains(k)) ++block;
    return block;
  };
  return matrix_of<Number>(q.codes.rows, q.codes.cols, [&](Index i, Index k) {
    if (q.grid == ScaleGrid::tensor) return dequantized(q.codes(i, k), q.scale_inv(0, 0));
    const Index row = q.grid == ScaleGrid::rows ? i : i / scale_block;
    return dequantized(q.codes(i, k), q.scale_inv(row, block_of_k(k)));
  });
}

template MatrixOf<float> dequantize(const Quantized<float>&);
template MatrixOf<Bounded> dequantize(const Quantized<Bounded>&);
template MatrixOf<Symbol> dequantize(const Quantized<Symbol>&);
template ScaleState<float> updated(ScaleState<float>, const Recipe&, DType, float);
template ScaleState<Bounded> updated(ScaleState<Bounded>, const Recipe&, DType, Bounded);
template ScaleState<Symbol> updated(ScaleState<Symbol>, const Recipe&, DType, Symbol);
template Quantized<float> quantize(const Recipe&, Role, const MatrixOf<float>&, const ScaleState<float>&);
template Quantized<Bounded> quantize(const Recipe&, Role, const MatrixOf<Bounded>&, const ScaleState<Bounded>&);
template Quantized<Symbol> quantize(const Recipe&, Role, const MatrixOf<Symbol>&, const ScaleState<Symbol>&);
template Quantized<float> quantize_transposed(const Recipe&, Role, const MatrixOf<float>&, const ScaleState<float>&,
                                              Index);
template Quantized<Bounded> quantize_transposed(const Recipe&, Role, const MatrixOf<Bounded>&,
                                                const ScaleState<Bounded>&, Index);
template Quantized<Symbol> quantize_transposed(const Recipe&, Role, const MatrixOf<Symbol>&, const ScaleState<Symbol>&,
                                               Index);

}  // namespace lockstep
