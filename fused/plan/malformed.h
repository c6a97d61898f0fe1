// What is wrong with a plan on its face: regions outside their buffers, shapes that do not fit each other, indices that
// name nothing. A plan without such a finding can be executed without touching memory that is not its own.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

// One sentence, for the first operation that is wrong.
std::optional<std::string> malformed(const Plan& plan);
// Of the first call that is, which it says.
std::optional<std::string> malformed(const Program& program);

}  // namespace lockstep
