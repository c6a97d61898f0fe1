// What a device, MPI or their libraries would not do, or that there is none: one sentence. The command turns it into
// exit code 125.
#pragma once

#include <stdexcept>

namespace lockstep {

struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace lockstep
