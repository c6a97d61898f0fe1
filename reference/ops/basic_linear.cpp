#include "reference/ops/basic_linear.h"

#include "reference/contract/refusal.h"

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

}  // namespace

Ranks basic_linear(const Ranks& x, const Ranks& weight, Accumulation accumulation) {
  Ranks y;
  for (std::size_t rank = 0; rank < x.size(); ++rank)
    y.push_back(accumulation == Accumulation::exact ? multiply<double>(x[rank], weight[rank])
                                                    : multiply<float>(x[rank], weight[rank]));
  return y;
}

}  // namespace lockstep
