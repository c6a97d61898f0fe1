// All regions of an operation, to be changed.
#pragma once

#include "fused/plan/plan.h"

#include <functional>

namespace lockstep {

void for_each_region(PlanBody& body, const std::function<void(Region&)>& visit);

}  // namespace lockstep
