// A case whose largest values stand where they are easily missed, so that an amax that leaves out a row, a column, a
// chunk or a rank shows. In the first call x, w and dy of one rank alone have a peak, as their last element; in the
// second those of every rank, in the first row of one part of their rows.
#pragma once

#include "oracle/judges/prepared.h"

namespace lockstep {

// Of a prepared case of two calls whose data need not be exact; `which` rank, and which of as many parts as there are
// ranks.
Prepared with_peaks(Prepared prepared, Index which);

}  // namespace lockstep
