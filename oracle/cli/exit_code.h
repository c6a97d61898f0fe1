// What the command's exit status says.
#pragma once

namespace lockstep {

enum ExitCode : int {
  exit_agree = 0,
  exit_disagree = 1,
  exit_invalid = 2,  // input or usage
  exit_blind = 3,    // nothing, or too little, was really tested
  exit_hang = 124,
  exit_could_not_run = 125,  // no GPU, no MPI
};

}  // namespace lockstep
