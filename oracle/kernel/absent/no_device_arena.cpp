#include "oracle/kernel/kernel_arena.h"
#include "reference/contract/device_error.h"

namespace lockstep {

std::unique_ptr<KernelArena> device_arena(Index) { throw DeviceError("this executable was built without CUDA"); }

}  // namespace lockstep
