// The fused program of a case: one plan a call.
#pragma once

#include "fused/plan/plan.h"
#include "reference/contract/case.h"

namespace lockstep {

Program correct_program(const Case& a_case);

}  // namespace lockstep
