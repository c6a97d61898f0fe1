#include "reference/ops/product.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/block_scaling.h"
#include "reference/numerics/bounded_sums.h"
#include "reference/ops/wanted_rows.h"

namespace lockstep {
namespace {

// Operands are inputs, known to the bit.
Quantized<float> known_codes(const Quantized<Bounded>& q) {
  return {matrix_of<float>(q.codes.rows, q.codes.cols,
                           [&](Index i, Index k) {
                             CHECK(q.codes(i, k).is_known(), "an operand that is not an input");
                             return static_cast<float>(q.codes(i, k).value);
                           }),
          q.is_scaled,
          {},
          q.grid,
          q.k_blocks,
          q.type,
          q.wanted};
}

// Symbols of every row between the columns of a range.
std::vector<Symbol> row_symbols(const MatrixOf<Symbol>& m, const Range& range) {
  std::vector<Symbol> rows;
  for (Index i = 0; i < m.rows; ++i)
    rows.push_back(sequence({m.row(i) + range.begin, static_cast<std::size_t>(range.size())}));
  return rows;
}

MatrixOf<Symbol> multiply(const MatrixOf<Symbol>& a, const MatrixOf<Symbol>& b, const Range& range) {
  const auto of_a = row_symbols(a, range), of_b = row_symbols(b, range);
  return matrix_of<Symbol>(a.rows, b.rows, [&](Index i, Index j) {
    return dot(of_a[static_cast<std::size_t>(i)], of_b[static_cast<std::size_t>(j)], range.size());
  });
}

float folded(float sum, float acc, float scale_a, float scale_b, ScaleGrid grid_of_b) {
  return grid_of_b == ScaleGrid::squares ? std::fma(acc, scale_a * scale_b, sum)
                                         : std::fma(acc * scale_a, scale_b, sum);
}
Bounded folded(const Bounded& sum, const Bounded& acc, const Bounded& scale_a, const Bounded& scale_b, ScaleGrid) {
  return folded(sum, acc, scale_a, scale_b);
}
Symbol folded(Symbol sum, Symbol acc, Symbol scale_a, Symbol scale_b, ScaleGrid) {
  return folded(sum, acc, scale_a, scale_b);
}

// multiply_block(range) is the product over the k of a range, of the rows that are wanted.
template <typename Number, typename Multiply>
MatrixOf<Number> product_by(const Quantized<Number>& a, const Quantized<Number>& b, const Multiply& multiply_block) {
  CHECK(a.codes.cols == b.codes.cols, "a product of operands with different K");
  CHECK(a.is_scaled == b.is_scaled && a.k_blocks == b.k_blocks, "a product of operands in different blocks");
  if (a.grid == ScaleGrid::tensor) {
    MatrixOf<Number> p = multiply_block(Range{0, a.codes.cols});
    if (a.is_scaled)
      for (Number& value : p.values) value = scaled(value, a.scale_inv(0, 0), b.scale_inv(0, 0));
    return p;
  }
  const Index rows_of_b = b.grid == ScaleGrid::squares ? scale_block : 1;
  MatrixOf<Number> p = multiply_block(Range{0, 0});
  for (Index block = 0; block < std::ssize(a.k_blocks); ++block) {
    const MatrixOf<Number> acc = multiply_block(a.k_blocks[static_cast<std::size_t>(block)]);
    for (Index i = 0; i < p.rows; ++i)
      for (Index j = 0; j < p.cols; ++j)
        p(i, j) = folded(p(i, j), acc(i, j), a.scale_inv(place_of(a, i), block),
                         b.scale_inv(place_of(b, j) / rows_of_b, block), b.grid);
  }
  return p;
}

// A tensor core works on codes.
Factor factor_of(const Quantized<float>& q, const Declaration& declared) {
  return {wanted_rows(q), q.is_scaled ? q.type : declared.operand};
}

}  // namespace

MatrixOf<float> product(const Quantized<float>& a, const Quantized<float>& b, const Declaration& declared) {
  const Accumulator& accumulator = declared.accumulator;
  if (accumulator.summation == Summation::tensor_core) {
    const Factor of_a = factor_of(a, declared), of_b = factor_of(b, declared);
    return at_their_places(a, b,
                           product_by(a, b, [&](const Range& range) { return sums(accumulator, of_a, of_b, range); }));
  }
  const Matrix of_a = wanted_rows(a), b_by_k = transposed(wanted_rows(b));
  return at_their_places(a, b, product_by(a, b, [&](const Range& range) {
                           return sums_in_order(accumulator.summation, of_a, b_by_k, range);
                         }));
}

MatrixOf<Bounded> product(const Quantized<Bounded>& a, const Quantized<Bounded>& b, const Declaration& declared) {
  const Factor of_a = factor_of(known_codes(a), declared), of_b = factor_of(known_codes(b), declared);
  return at_their_places(
      a, b, product_by(a, b, [&](const Range& k) { return bounded_sums(declared.accumulator, of_a, of_b, k); }));
}

MatrixOf<Symbol> product(const Quantized<Symbol>& a, const Quantized<Symbol>& b, const Declaration&) {
  return product_by(a, b, [&](const Range& range) { return multiply(a.codes, b.codes, range); });
}

}  // namespace lockstep
