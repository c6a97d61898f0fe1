// The command is several executables, which differ in what they are linked with: `lockstep`, which starts at once, and
// beside it those whose libraries take time to start: `lockstep_cuda` where there is CUDA, `lockstep_mpi` where there
// is MPI. The first becomes another when a case asks for it.
#pragma once

#include <string>

namespace lockstep {

// Goes on as `name`, with the same arguments. Throws a DeviceError where this is it already or it cannot be run: what
// was asked, why this one cannot do it, and what is missing.
[[noreturn]] void go_on_as(const std::string& name, const std::string& asked, const std::string& why_not_this);

}  // namespace lockstep
