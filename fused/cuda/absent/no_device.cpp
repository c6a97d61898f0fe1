#include "fused/cuda/execute.h"

namespace lockstep {

std::string why_no_device() { return "this executable was built without CUDA"; }

std::string why_not_on_device(const Program&) { return why_no_device(); }

Walked execute_on_device(const Program&, const Pick&, Memory&, const OnDevice&, const Watch&) {
  throw DeviceError(why_no_device());
}

}  // namespace lockstep
