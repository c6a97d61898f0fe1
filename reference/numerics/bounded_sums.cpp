#include "reference/numerics/bounded_sums.h"

#include "reference/numerics/error_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

Bounded bounded(const ExactSum& sum, const SumError& error) {
  const bool may_overflow = sum.magnitude > std::numeric_limits<float>::max();
  const double radius =
      may_overflow ? std::numeric_limits<double>::infinity() : error.relative * sum.magnitude + error.absolute;
  return {sum.value, radius, std::abs(sum.value)};
}

Matrix counted_magnitudes(const Accumulator& accumulator, const Factor& a, const Range& k) {
  Matrix m(a.rows, k.size());
  for (Index i = 0; i < m.rows; ++i)
    for (Index at = 0; at < m.cols; ++at) m(i, at) = counted_magnitude(accumulator, a.row(i), k.begin + at);
  return m;
}

Matrix columns(const Matrix& values, const Range& k) {
  Matrix m(values.rows, k.size());
  for (Index i = 0; i < m.rows; ++i) std::copy_n(values.row(i) + k.begin, m.cols, m.row(i));
  return m;
}

// sums[j] += sum over k of a[k] b_by_k[k, j], in the order of k, so that the compiler may go wide over j.
void add_products(const float* a, const Matrix& b_by_k, std::vector<double>& sums) {
  for (Index k = 0; k < b_by_k.rows; ++k)
    for (Index j = 0; j < b_by_k.cols; ++j) sums[static_cast<std::size_t>(j)] += double{a[k]} * double{b_by_k(k, j)};
}

// exact_dot of every element.
MatrixOf<Bounded> sums_within(const SumError& error, const Accumulator& accumulator, const Factor& a, const Factor& b,
                              const Range& k) {
  const Matrix b_by_k = transposed(columns(b.values, k)), sizes_a = counted_magnitudes(accumulator, a, k),
               sizes_b_by_k = transposed(counted_magnitudes(accumulator, b, k));
  MatrixOf<Bounded> sums(a.rows, b.rows);
  std::vector<double> values, magnitudes;
  for (Index i = 0; i < a.rows; ++i) {
    values.assign(static_cast<std::size_t>(b.rows), 0.0);
    magnitudes.assign(static_cast<std::size_t>(b.rows), 0.0);
    add_products(a.values.row(i) + k.begin, b_by_k, values);
    add_products(sizes_a.row(i), sizes_b_by_k, magnitudes);
    for (Index j = 0; j < b.rows; ++j) {
      const auto at = static_cast<std::size_t>(j);
      sums(i, j) = bounded({values[at], magnitudes[at]}, error);
    }
  }
  return sums;
}

}  // namespace

MatrixOf<Bounded> bounded_sums(const Accumulator& accumulator, const Factor& a, const Factor& b, const Range& k) {
  return sums_within(error_of_sums(accumulator, k.size()), accumulator, a, b, k);
}

MatrixOf<Bounded> bounded_sums_in_any_order(DType operand, const Factor& a, const Factor& b, const Range& k) {
  return sums_within(error_of_sums_in_any_order(operand, k.size()), hopper_16bit, a, b, k);
}

}  // namespace lockstep
