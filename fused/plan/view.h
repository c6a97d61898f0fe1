// One rank's view of a program: what that rank does, and what others send it. So the wire of a rank can be had where
// there is only that rank: its own transfers go out, those of the others to it come in.
//
//   kept      every operation of the rank; the copies of others that write to its memory and the signals that tell of
//             them, as operations of the rank on a lane of their own, in the order of the steps: the others keep pace
//   dropped   all else, and with it the edges from it; a wait for a signal that is dropped, and what others wait for
//
// Buffers of other ranks have only what is still touched, at the same offsets.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

Plan view_of(const Plan& plan, Index rank);
Program view_of(const Program& program, Index rank);

}  // namespace lockstep
