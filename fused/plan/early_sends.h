// A plan whose wire starts early: the first transfer of a lane, where it sends what a GEMM makes, and that GEMM are
// each several pieces of rows, one after the other on their lanes, and a piece of the transfer waits for its piece of
// the GEMM alone. What came after the whole comes after the last piece.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

Plan with_early_sends(const Plan& plan, Index pieces);
Program with_early_sends(Program program, Index pieces);

}  // namespace lockstep
