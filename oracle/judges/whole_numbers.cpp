#include "oracle/judges/whole_numbers.h"

#include "oracle/campaign/parallel.h"
#include "reference/contract/partition.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep {
namespace {

constexpr std::uint32_t float_magnitude = 0x7FFFFFFF, float_infinity = 0x7F800000;

// A line of codes in memory: `count` of them, `step` bytes apart.
struct Line {
  DType type;
  const std::byte* from;
  Index step, count;
};

Line line_of(const Tensor& t, Index i, bool down) {
  const Index size = bytes_of(t.dtype);
  if (down) return {t.dtype, t.bytes.data() + i * size, t.cols * size, t.rows};
  return {t.dtype, t.bytes.data() + i * t.cols * size, size, t.cols};
}

template <DType type, typename F>
void each_of_type(const Line& line, const F& f) {
  const std::byte* from = line.from;
  for (Index k = 0; k < line.count; ++k, from += line.step) f(k, decode(type, load_code(type, from)));
}

// f(k, value) for each value of the line; the format is known to the loop.
template <typename F>
void for_each_value(const Line& line, const F& f) {
  switch (line.type) {
    case DType::f32:
      return each_of_type<DType::f32>(line, f);
    case DType::bf16:
      return each_of_type<DType::bf16>(line, f);
    case DType::fp16:
      return each_of_type<DType::fp16>(line, f);
    case DType::e4m3:
      return each_of_type<DType::e4m3>(line, f);
    case DType::e5m2:
      return each_of_type<DType::e5m2>(line, f);
    case DType::e8m0:
      return each_of_type<DType::e8m0>(line, f);
  }
}

// Reads values as numbers of quanta. Exact: the exponents of a float and of a quantum are far from those of double.
struct Reader {
  double quanta_in_one, slack;

  explicit Reader(const Quantum& quantum) : quanta_in_one(std::ldexp(1.0, -quantum.exponent)), slack(quantum.slack) {}

  // The number, or 0 where the value does not fit.
  Index whole(float value) const {
    const double n = value * quanta_in_one;
    const Index truncated = std::abs(n) < largest_whole ? static_cast<Index>(n) : 0;
    if (static_cast<double>(truncated) == n) return truncated;
    return is_near_whole(n) ? std::llround(n) : 0;
  }
  bool fits(float value) const {
    const double n = value * quanta_in_one;
    if (n == 0) return slack > 0 || !std::signbit(value);
    if (!(std::abs(n) < largest_whole)) return false;
    return static_cast<double>(static_cast<Index>(n)) == n || is_near_whole(n);
  }
  bool is_near_whole(double n) const { return std::abs(n) < largest_whole && std::abs(std::round(n) - n) <= slack; }
};

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
  if (std::ldexp(extent.largest, -extent.exponent) >= largest_whole / 2)
    refuse("{} has values of up to {} and a bit worth 2^{}: exact data lies within 59 bits", m.name, extent.largest,
           extent.exponent);
  return extent;
}

void read_line(const Tensor& tensor, Index i, bool down, const Quantum& quantum, Index* to) {
  const Reader reader(quantum);
  for_each_value(line_of(tensor, i, down), [=](Index k, float value) { to[k] = reader.whole(value); });
}

std::vector<Index> row_of(const WholeMatrix& m, Index i) {
  std::vector<Index> row(static_cast<std::size_t>(m.matrix.cols), 0);
  for (const PlacedTensor& part : m.matrix.parts)
    if (part.covers_row(i)) read_line(*part.tensor, i - part.row, part.transposed, m.quantum, row.data() + part.col);
  return row;
}

Index whole_at(const WholeMatrix& m, Index i, Index j) {
  const Index which = m.matrix.part_at(i, j);
  if (which < 0) return 0;
  const PlacedTensor& part = m.matrix.parts[static_cast<std::size_t>(which)];
  return Reader(m.quantum).whole(decode(part.tensor->dtype, part.code(i, j)));
}

bool fits(const WholeMatrix& m, Index i, Index j) {
  const Index which = m.matrix.part_at(i, j);
  if (which < 0) return true;
  const PlacedTensor& part = m.matrix.parts[static_cast<std::size_t>(which)];
  return Reader(m.quantum).fits(decode(part.tensor->dtype, part.code(i, j)));
}

std::vector<Index> misfits_of_row(const WholeMatrix& m, Index i) {
  std::vector<Index> cols;
  const Reader reader(m.quantum);
  for (const PlacedTensor& part : m.matrix.parts)
    if (part.covers_row(i))
      for_each_value(line_of(*part.tensor, i - part.row, part.transposed), [&](Index k, float value) {
        if (!reader.fits(value)) cols.push_back(part.col + k);
      });
  std::ranges::sort(cols);
  return cols;
}

}  // namespace lockstep
