// What a call of MPI answers: whatever is not a success becomes a DeviceError that says which call, and what MPI says.
#pragma once

#include <mpi.h>

namespace lockstep {

// `call` is what was tried, as in "MPI_Put".
void expect(int status, const char* call);

}  // namespace lockstep
