#include "oracle/judges/freivalds/extent.h"

#include "oracle/campaign/parallel.h"
#include "oracle/judges/freivalds/tensor_line.h"
#include "reference/contract/partition.h"
#include "reference/contract/refusal.h"

#include <cmath>

namespace lockstep {
namespace {

constexpr std::uint32_t float_magnitude = 0x7FFFFFFF, float_infinity = 0x7F800000;

// The magnitude bits of the largest float and the exponent of the lowest bit that any has.
struct Bits {
  std::uint32_t largest = 0;
  int lowest = 1024;

  void add(float value) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & float_magnitude;
    if (magnitude == 0) return;
    const std::uint32_t fraction = magnitude & 0x7FFFFF, exponent = magnitude >> 23;
    const std::uint32_t significand = exponent == 0 ? fraction : fraction | 0x800000;
    largest = std::max(largest, magnitude);
    lowest = std::min(lowest, static_cast<int>(std::max(exponent, 1u)) - 150 + std::countr_zero(significand));
  }
  void add(const Bits& other) { largest = std::max(largest, other.largest), lowest = std::min(lowest, other.lowest); }
};

Bits bits_of(const Tensor& tensor, Index threads) {
  std::vector<Bits> of_part(static_cast<std::size_t>(threads));
  parallel_for(threads, threads, [&](Index which) {
    Bits bits;
    const Range rows = part(tensor.rows, threads, which);
    for (Index i = rows.begin; i < rows.end; ++i)
      for_each_value(line_of(tensor, i, false), [&](Index, float value) { bits.add(value); });
    of_part[static_cast<std::size_t>(which)] = bits;
  });
  for (const Bits& other : of_part) of_part[0].add(other);
  return of_part[0];
}

Extent extent_of(const Bits& bits) {
  if (bits.largest == 0) return {};
  return {std::bit_cast<float>(bits.largest), bits.lowest};
}

[[noreturn]] void refuse_not_finite(const PlacedMatrix& m) {
  for (const PlacedTensor& part : m.parts)
    for (Index i = part.row; i < part.row + part.rows(); ++i)
      for (Index j = part.col; j < part.col + part.cols(); ++j)
        if (const float value = decode(part.tensor->dtype, part.code(i, j)); !std::isfinite(value))
          refuse("{} is {} at row {}, column {}: exact data is finite", m.name, value, i, j);
  throw std::logic_error("a value that is not finite was lost");
}

}  // namespace

Extent extent_of(float value) {
  Bits bits;
  bits.add(value);
  return extent_of(bits);
}

Extent extent_of(const PlacedMatrix& m, Index threads) {
  Bits bits;
  for (const PlacedTensor& part : m.parts) bits.add(bits_of(*part.tensor, threads));
  if (bits.largest >= float_infinity) refuse_not_finite(m);
  const Extent extent = extent_of(bits);
  if (std::ldexp(extent.largest, -extent.exponent) >= 0x1p59)
    refuse("{} has values of up to {} and a bit worth 2^{}: exact data lies within 59 bits", m.name, extent.largest,
           extent.exponent);
  return extent;
}

}  // namespace lockstep
