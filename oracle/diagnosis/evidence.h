// What there is to decode: each output of each call that differs, element by element, in the places of the whole tensor
// over all ranks.
#pragma once

#include "oracle/judges/judge.h"

namespace lockstep {

struct Element {
  Index rank = 0, row = 0, col = 0;
  std::uint32_t code = 0;  // that was got
  float got = 0, want = 0;
  bool differs = false;
  float noise = 0;  // what inexact scales may leave where the exact value is zero
};

// What one rank holds of an output.
struct Held {
  Index rank = 0;
  Range rows, cols;
  std::vector<Element> elements;  // row by row

  const Element& at(Index row, Index col) const {
    return elements[static_cast<std::size_t>((row - rows.begin) * cols.size() + col - cols.begin)];
  }
};

struct Evidence {
  Index call = 0;
  std::string output;
  DType type = DType::f32;
  std::vector<Held> held;  // by the ranks with a difference
  Index differing = 0;
};

// Of y, dx, dw, db and main_grad, in the order of the calls.
std::vector<Evidence> evidence_of(const Prepared& prepared, const Observed& observed);

}  // namespace lockstep
