// What a case runs: its calls' plans, without the case's fault. Kernels by their schedule, layers through the fuser.
#pragma once

#include "fused/plan/plan.h"
#include "reference/contract/case.h"

namespace lockstep {

Program correct_program(const Case& a_case);

}  // namespace lockstep
