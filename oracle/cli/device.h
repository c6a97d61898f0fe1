// The command is two executables, which differ in what they are linked with: `lockstep`, which starts at once, and
// beside it `lockstep_cuda`, where there is CUDA, whose libraries take a tenth of a second and half a gigabyte of
// addresses. The first becomes the second when a case asks for the device.
#pragma once

#include "reference/contract/case.h"

namespace lockstep {

// Returns where this executable has a device; goes on as lockstep_cuda, with the same arguments, where this is
// `lockstep`; else throws a DeviceError that says what is missing.
void need_device();
inline void need_device_for(const Case& a_case) {
  if (a_case.first().executor.device == RunsOn::cuda) need_device();
}

}  // namespace lockstep
