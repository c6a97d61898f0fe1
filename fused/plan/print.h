// A plan as text, one line an operation, for people.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

// "gemm", "copy", "wait", ..
std::string_view kind_name(const PlanOp& op);

// "rank 1, compute 0: gemm, split 2"; of a lane that is not there its number
std::string title(const Plan& plan, const PlanOp& op);

// What it reads and writes: "y@1[0 + 4x2 ld 4] = panels@0[...] + panels@1[...]".
std::string details(const Plan& plan, const PlanOp& op);

// title, details and edges of every operation, after the groups and the buffers.
std::string print(const Plan& plan);

}  // namespace lockstep
