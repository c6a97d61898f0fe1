// A kernel library, loaded. Its code runs in this process: a child's (oracle/campaign/child.h), never the supervisor's.
#pragma once

#include "oracle/kernel/lockstep_kernel.h"

#include <string>

namespace lockstep {

// Loads it once a process, and keeps it. Refuses what is no kernel library.
const lockstep_kernel& load_kernel(const std::string& path);

}  // namespace lockstep
