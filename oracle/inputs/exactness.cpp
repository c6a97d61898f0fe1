#include "oracle/inputs/exactness.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

Index magnitude(float value) {
  CHECK(value == std::floor(value), "exact data that is not a whole number");
  return static_cast<Index>(std::abs(value));
}

std::vector<Index> largest_of_each_column(const Matrix& values) {
  std::vector<Index> largest(static_cast<std::size_t>(values.cols), 0);
  for (Index i = 0; i < values.rows; ++i)
    for (Index k = 0; k < values.cols; ++k) {
      Index& so_far = largest[static_cast<std::size_t>(k)];
      so_far = std::max(so_far, magnitude(values(i, k)));
    }
  return largest;
}

}  // namespace

Index largest_exact_integer(DType type) { return Index{1} << (format(type).fraction_bits + 1); }

Index largest_accumulator(const Matrix& x, const Matrix& w) {
  const auto of_x = largest_of_each_column(x), of_w = largest_of_each_column(w);
  Index sum = 0;
  for (std::size_t k = 0; k < of_x.size(); ++k) sum += of_x[k] * of_w[k];
  return sum;
}

Index largest_magnitude(const Matrix& values) {
  Index largest = 0;
  for (float value : values.values) largest = std::max(largest, magnitude(value));
  return largest;
}

}  // namespace lockstep
