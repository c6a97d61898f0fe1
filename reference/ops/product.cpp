#include "reference/ops/product.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/gemm.h"

namespace lockstep {
namespace {

// Sum is the type that adds: double holds every sum of exact data, float rounds after every addition. One column of
// sums for each row of A, so that k stays in order and the compiler may go wide over j.
template <typename Sum>
Matrix multiply(const Matrix& a, const Matrix& b_by_k, const Range& range) {
  Matrix y(a.rows, b_by_k.cols);
  std::vector<Sum> sums;
  for (Index i = 0; i < a.rows; ++i) {
    sums.assign(static_cast<std::size_t>(y.cols), Sum{0});
    for (Index k = range.begin; k < range.end; ++k)
      for (Index j = 0; j < y.cols; ++j) sums[static_cast<std::size_t>(j)] += Sum{a(i, k)} * Sum{b_by_k(k, j)};
    for (Index j = 0; j < y.cols; ++j) y(i, j) = static_cast<float>(sums[static_cast<std::size_t>(j)]);
  }
  return y;
}

// A tensor core works on codes.
Matrix multiply_codes(const Matrix& a, const Matrix& b, const Declaration& declared) {
  return gemm_sums({.input = encode(declared.operand, a), .weight = encode(declared.operand, b)}, declared.accumulator);
}

Matrix multiply(const Matrix& a, const Matrix& b_by_k, const Range& range, const Declaration& declared) {
  const bool exact = declared.accumulator.summation == Summation::exact;
  return exact ? multiply<double>(a, b_by_k, range) : multiply<float>(a, b_by_k, range);
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
Symbol folded(Symbol sum, Symbol acc, Symbol scale_a, Symbol scale_b, ScaleGrid) {
  return folded(sum, acc, scale_a, scale_b);
}

// multiply_block(range) is the product over the k of a range.
template <typename Number, typename Multiply>
MatrixOf<Number> product_by(const Quantized<Number>& a, const Quantized<Number>& b, const Multiply& multiply_block) {
  CHECK(a.codes.cols == b.codes.cols, "a product of operands with different K");
  CHECK(a.is_scaled == b.is_scaled && a.k_blocks == b.k_blocks, "a product of operands in different blocks");
  MatrixOf<Number> p(a.codes.rows, b.codes.rows);
  if (a.grid == ScaleGrid::tensor) {
    p = multiply_block(Range{0, a.codes.cols});
    if (a.is_scaled)
      for (Number& value : p.values) value = scaled(value, a.scale_inv(0, 0), b.scale_inv(0, 0));
    return p;
  }
  const Index rows_of_b = b.grid == ScaleGrid::squares ? scale_block : 1;
  for (Index block = 0; block < std::ssize(a.k_blocks); ++block) {
    const MatrixOf<Number> acc = multiply_block(a.k_blocks[static_cast<std::size_t>(block)]);
    for (Index i = 0; i < p.rows; ++i)
      for (Index j = 0; j < p.cols; ++j)
        p(i, j) = folded(p(i, j), acc(i, j), a.scale_inv(i, block), b.scale_inv(j / rows_of_b, block), b.grid);
  }
  return p;
}

}  // namespace

MatrixOf<float> product(const Quantized<float>& a, const Quantized<float>& b, const Declaration& declared) {
  if (declared.accumulator.summation == Summation::tensor_core) {
    CHECK(!a.is_scaled && !b.is_scaled, "a tensor core on codes with scales has no declared order here");
    return multiply_codes(a.codes, b.codes, declared);
  }
  const Matrix b_by_k = transposed(b.codes);
  return product_by(a, b, [&](const Range& range) { return multiply(a.codes, b_by_k, range, declared); });
}

MatrixOf<Symbol> product(const Quantized<Symbol>& a, const Quantized<Symbol>& b, const Declaration&) {
  return product_by(a, b, [&](const Range& range) { return multiply(a.codes, b.codes, range); });
}

}  // namespace lockstep
