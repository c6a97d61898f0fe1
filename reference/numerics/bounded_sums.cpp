#include "reference/numerics/bounded_sums.h"

#include "reference/numerics/error_bounds.h"

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

MatrixOf<Bounded> sums_within(const SumError& error, const Accumulator& accumulator, const Factor& a, const Factor& b,
                              const Range& k) {
  MatrixOf<Bounded> sums(a.rows, b.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < b.rows; ++j) sums(i, j) = bounded(exact_dot(accumulator, a.row(i), b.row(j), k), error);
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
