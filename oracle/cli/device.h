// What asks for a device goes on where there is one: CUDA's libraries take a tenth of a second and half a gigabyte of
// addresses (other_executable.h).
#pragma once

#include "reference/contract/case.h"

namespace lockstep {

// Returns where this executable has a device; else goes on as lockstep_cuda.
void need_device();
inline void need_device_for(const Case& a_case) {
  if (a_case.first().executor.device == RunsOn::cuda) need_device();
}

}  // namespace lockstep
