// lockstep run in a job of MPI: one team of all its processes, or teams that share the cases out.
#pragma once

#include "oracle/cli/run_flags.h"

namespace lockstep {

// Called by every process of the job; goes on as lockstep_mpi where this executable has no MPI. The exit code, which is
// the first process's to say.
int run_in_processes(const RunFlags& flags, const JournalContents* resumed);

}  // namespace lockstep
