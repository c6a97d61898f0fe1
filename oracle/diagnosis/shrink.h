// The smallest case that fails in the same way.
#pragma once

#include "reference/contract/case.h"

#include <functional>

namespace lockstep {

using FailsTheSame = std::function<bool(const Case&)>;

// Field by field towards the simplest value for as long as `fails` holds; then, where that is cheap, every case that is
// smaller in all of its sizes is tried, smallest first. Deterministic. `fails` must hold for `failing`.
Case shrink(const Case& failing, const FailsTheSame& fails);

}  // namespace lockstep
