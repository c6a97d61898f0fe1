#include "fused/host/arithmetic.h"

namespace lockstep {
namespace {

Matrix transposed(const Matrix& m) {
  Matrix t(m.cols, m.rows);
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j) t(j, i) = m(i, j);
  return t;
}

}  // namespace

Matrix multiply_transposed(const Matrix& a, const Matrix& b) {
  const Matrix bt = transposed(b);
  Matrix d(a.rows, b.rows);
  for (Index i = 0; i < a.rows; ++i) {
    float* __restrict to = d.row(i);
    for (Index k = 0; k < a.cols; ++k) {
      const float factor = a(i, k);
      const float* __restrict from = bt.row(k);
      for (Index j = 0; j < d.cols; ++j) to[j] += factor * from[j];
    }
  }
  return d;
}

void add_bias(Matrix& d, const Matrix& bias) {
  for (Index i = 0; i < d.rows; ++i)
    for (Index j = 0; j < d.cols; ++j) d(i, j) += bias(0, j);
}

void accumulate(Matrix& sum, const Matrix& term) {
  for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i];
}

}  // namespace lockstep
