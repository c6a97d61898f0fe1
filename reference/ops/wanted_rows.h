// Products of some rows of their operands (sample.h): those rows, and where they stand in the whole.
#pragma once

#include "reference/ops/quantize.h"

#include <algorithm>
#include <limits>

namespace lockstep {

// Of what is wanted of an operand's rows, the place in the whole.
template <typename Number>
Index place_of(const Quantized<Number>& q, Index row) {
  return q.wanted.empty() ? row : q.wanted[static_cast<std::size_t>(row)];
}

inline Matrix wanted_rows(const Quantized<float>& q) {
  if (q.wanted.empty()) return q.codes;
  return matrix_of<float>(std::ssize(q.wanted), q.codes.cols,
                          [&](Index i, Index k) { return q.codes(place_of(q, i), k); });
}

// Everything else is unknown.
template <typename Number>
MatrixOf<Number> at_their_places(const Quantized<Number>& a, const Quantized<Number>& b, MatrixOf<Number> p) {
  if (a.wanted.empty() && b.wanted.empty()) return p;
  MatrixOf<Number> all(a.codes.rows, b.codes.rows);
  std::ranges::fill(all.values, Number(std::numeric_limits<float>::quiet_NaN()));
  for (Index i = 0; i < p.rows; ++i)
    for (Index j = 0; j < p.cols; ++j) all(place_of(a, i), place_of(b, j)) = p(i, j);
  return all;
}

}  // namespace lockstep
