#include "oracle/cli/device.h"

#include "fused/cuda/execute.h"
#include "oracle/cli/other_executable.h"

namespace lockstep {

void need_device() {
  if (const std::string reason = why_no_device(); !reason.empty()) go_on_as("lockstep_cuda", "device=cuda", reason);
}

}  // namespace lockstep
