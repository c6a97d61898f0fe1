#include "fused/host/arithmetic.h"

#include <cmath>
#include <limits>

namespace lockstep::host {
namespace {

constexpr float largest_float = std::numeric_limits<float>::max();

float power_of_two_below(float scale) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scale) & 0xFF800000u);
}

// 2^-e for the E8M0 exponent e at or above amax / largest.
float mx_scale(float ratio) {
  const auto bits = std::bit_cast<std::uint32_t>(ratio);
  const int field =
      static_cast<int>(bits >> 23) + ((bits & 0x7FFFFFu) != 0 && (bits >> 23 || (bits & 0x7FFFFFu) > 0x400000u));
  return std::ldexp(1.0f, 127 - std::min(field, 254));
}

}  // namespace

Matrix product(const Matrix& a, const Matrix& b, const Range& range) {
  Matrix d(a.rows, b.cols);
  for (Index i = 0; i < a.rows; ++i) {
    float* __restrict to = d.row(i);
    for (Index k = range.begin; k < range.end; ++k) {
      const float factor = a(i, k);
      const float* __restrict from = b.row(k);
      for (Index j = 0; j < d.cols; ++j) to[j] += factor * from[j];
    }
  }
  return d;
}

void fold(Matrix& sum, const Matrix& acc, const BlockScales& scales, Index block) {
  for (Index i = 0; i < sum.rows; ++i)
    for (Index j = 0; j < sum.cols; ++j) {
      const float s_a = scales.a(i, block), s_b = scales.b(j / scales.rows_of_b, block);
      sum(i, j) =
          scales.rows_of_b > 1 ? std::fma(acc(i, j), s_a * s_b, sum(i, j)) : std::fma(acc(i, j) * s_a, s_b, sum(i, j));
    }
}

void multiply(Matrix& values, float factor) {
  for (float& value : values.values) value *= factor;
}

void scale_sums(Matrix& sums, float scale) {
  for (float& sum : sums.values) sum = std::fma(sum, scale, 0.0f);
}

void add_row(Matrix& d, const Matrix& row) {
  for (Index i = 0; i < d.rows; ++i)
    for (Index j = 0; j < d.cols; ++j) d(i, j) += row(0, j);
}

void accumulate(Matrix& sum, const Matrix& term) {
  for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i];
}

void accumulate_larger(Matrix& largest, const Matrix& term) {
  for (std::size_t i = 0; i < largest.values.size(); ++i)
    largest.values[i] = std::fmax(largest.values[i], term.values[i]);
}

Matrix column_sums(const Matrix& values) {
  Matrix sums(1, values.cols);
  for (Index i = 0; i < values.rows; ++i)
    for (Index j = 0; j < values.cols; ++j) sums(0, j) += values(i, j);
  return sums;
}

float amax(const Matrix& values) {
  float largest = 0;
  for (float value : values.values) largest = std::fmax(largest, std::fabs(value));
  return largest;
}

float current_scale(DType type, float amax) {
  if (amax == 0 || std::isinf(amax)) return 1;
  return std::fmin(format(type).largest / amax, largest_float);
}

float delayed_scale(DType type, float amax, Index margin, float before) {
  if (!(amax > 0) || std::isinf(amax)) return before;
  return std::fmin(std::ldexp(format(type).largest / amax, -static_cast<int>(margin)), largest_float);
}

float block_scale(RecipeKind recipe, DType type, float amax) {
  if (recipe == RecipeKind::mxfp8) return mx_scale(amax / format(type).largest);
  return power_of_two_below(current_scale(type, amax));
}

}  // namespace lockstep::host
