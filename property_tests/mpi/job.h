// The job in which the tests of several processes run; it lives from before the first to after the last.
#pragma once

#include "fused/mpi/team.h"

namespace lockstep {

const MpiJob& job();

}  // namespace lockstep
