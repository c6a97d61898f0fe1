// JSON whose values are spoilt and which is JSON still: one is of another type or size, lost, twice, in another's
// place, a number next to it; a key has another's name.
#pragma once

#include "oracle/inputs/random.h"

#include <string>

namespace lockstep {

// One to three changes. Text that is no JSON stays as it is.
std::string mutated_json(const std::string& text, Random& random);

}  // namespace lockstep
