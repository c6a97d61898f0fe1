#include "oracle/judges/freivalds/whole_numbers.h"

#include "oracle/judges/freivalds/tensor_line.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// Reads values as numbers of quanta. Exact: the exponents of a float and of a quantum are far from those of double.
struct Reader {
  double quanta_in_one;

  explicit Reader(const Quantum& quantum) : quanta_in_one(std::ldexp(1.0, -quantum.exponent)) {}

  // The number, or 0 where the value does not fit.
  Index whole(float value) const {
    const double n = value * quanta_in_one;
    const Index truncated = std::abs(n) < largest_whole ? static_cast<Index>(n) : 0;
    return static_cast<double>(truncated) == n ? truncated : 0;
  }
  bool fits(float value) const {
    const double n = value * quanta_in_one;
    if (n == 0) return !std::signbit(value);
    return std::abs(n) < largest_whole && static_cast<double>(static_cast<Index>(n)) == n;
  }
};

}  // namespace

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
