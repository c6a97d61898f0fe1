// Where no fault of the catalogue gives the bits that were got: the one that comes nearest.
//
// Of the elements that are wrong in either run, the share where both have the same wrong bits.
#pragma once

#include "oracle/judges/judge.h"

#include <optional>

namespace lockstep {

struct Nearest {
  std::string fault;  // "id:site"
  Index same = 0;     // wrong elements of the same bits in both runs
  Index of = 0;       // elements that are wrong in either
};

// Of `program`, which ran as `observed`; none where no fault shares a wrong element. Faults that have not been tried
// after so many seconds are left out.
std::optional<Nearest> nearest_fault(const Prepared& prepared, const Observed& observed, double most_seconds = 10);

std::string print(const Nearest& nearest);

}  // namespace lockstep
