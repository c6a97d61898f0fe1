#include "fused/mpi/on_devices.h"

#include "fused/cuda/processes/execute.h"
#include "fused/host/strategies.h"

namespace lockstep {

Walked execute_on_devices(const Program& program, Memory& memory, MPI_Comm team, const OnDevices& how) {
  ProcessOptions options;
  options.fast_accumulate = how.fast_accumulate;
  options.delays = how.seed;
  return execute_in_processes(program, how.seed == 0 ? first_in_order() : at_random(how.seed), memory,
                              processes_of(team), options);
}

}  // namespace lockstep
