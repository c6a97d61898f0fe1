// Rows that hold other rows, columns other columns, in runs.
#pragma once

#include "oracle/diagnosis/hypothesis.h"
#include "reference/contract/problem.h"

namespace lockstep {

// What may come from another place.
struct Source {
  std::string what;                                                   // "", or a term: "the bias of rank 1"
  std::function<bool(const Element&, Index row, Index col)> is_from;  // whether that place gives what was got
};

enum class Along { rows, columns };

// At most one, the fewest runs that explain; of an output of this shape over all ranks.
Hypotheses moved(const Evidence& evidence, const Shape& whole, const Source& source, Along along);

}  // namespace lockstep
