#include "reference/ops/basic_linear.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/gemm.h"

namespace lockstep {
namespace {

// Sum is the type that adds: double holds every sum of exact data, float rounds after every addition. One column of
// sums for each row of X, so that k stays in order and the compiler may go wide over j.
template <typename Sum>
Matrix multiply(const Matrix& x, const Matrix& w) {
  CHECK(x.cols == w.cols, "BasicLinear with an input and a weight of different widths");
  std::vector<float> w_by_k;
  for (Index k = 0; k < w.cols; ++k)
    for (Index j = 0; j < w.rows; ++j) w_by_k.push_back(w(j, k));

  Matrix y(x.rows, w.rows);
  std::vector<Sum> sums;
  for (Index i = 0; i < x.rows; ++i) {
    sums.assign(static_cast<std::size_t>(w.rows), Sum{0});
    for (Index k = 0; k < x.cols; ++k)
      for (Index j = 0; j < w.rows; ++j)
        sums[static_cast<std::size_t>(j)] += Sum{x(i, k)} * Sum{w_by_k[static_cast<std::size_t>(k * w.rows + j)]};
    for (Index j = 0; j < w.rows; ++j) y(i, j) = static_cast<float>(sums[static_cast<std::size_t>(j)]);
  }
  return y;
}

// A tensor core works on codes.
Matrix multiply_codes(const Matrix& x, const Matrix& w, const Declaration& declared) {
  return gemm_sums({.input = encode(declared.operand, x), .weight = encode(declared.operand, w)}, declared.accumulator);
}

Matrix multiply(const Matrix& x, const Matrix& w, const Declaration& declared) {
  switch (declared.accumulator.summation) {
    case Summation::exact:
      return multiply<double>(x, w);
    case Summation::f32:
      return multiply<float>(x, w);
    case Summation::tensor_core:
      return multiply_codes(x, w, declared);
  }
  return {};
}

}  // namespace

Ranks basic_linear(const Ranks& x, const Ranks& weight, const Declaration& declared) {
  Ranks y;
  for (std::size_t rank = 0; rank < x.size(); ++rank) y.push_back(multiply(x[rank], weight[rank], declared));
  return y;
}

}  // namespace lockstep
