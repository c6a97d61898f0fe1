// RapidCheck's generator of cases whose groups stand in a world, for what must hold whatever the groups.
#pragma once

#include "property_tests/case_generator.h"

namespace lockstep {

// One of `cases` as what each of 1 to 4 groups runs, dealt in any way: at most 12 ranks where tp allows.
rc::Gen<Case> in_a_world(rc::Gen<Case> cases);

}  // namespace lockstep
