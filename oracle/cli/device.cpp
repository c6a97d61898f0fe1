#include "oracle/cli/device.h"

#include "fused/cuda/execute.h"
#include "fused/mpi/team.h"
#include "oracle/cli/other_executable.h"
#include "reference/contract/device_error.h"

namespace lockstep {

void need_device() {
  const std::string reason = why_no_device();
  if (reason.empty()) return;
  if (why_no_mpi().empty()) throw DeviceError("device=cuda: " + reason);  // it is late to go on as another
  go_on_as("lockstep_cuda", "device=cuda", reason);
}

}  // namespace lockstep
