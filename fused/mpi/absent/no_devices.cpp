// In place of devices where there is no CUDA.
#include "fused/mpi/on_devices.h"
#include "reference/contract/device_error.h"

namespace lockstep {

Walked execute_on_devices(const Program&, Memory&, MPI_Comm, const OnDevices&) {
  throw DeviceError("this executable was built without CUDA");
}

}  // namespace lockstep
