// Runs a program on the host on given inputs and keeps all that a judge looks at.
#pragma once

#include "fused/host/walk.h"
#include "oracle/inputs/inputs.h"

namespace lockstep {

struct Observed {
  Walked walked;
  std::vector<std::vector<Tensor>> outputs;  // [call][rank]
  std::vector<std::string> broken_guards;
  bool inputs_changed = false;
  double seconds = 0;  // of the execution alone
};

Observed observe(const Program& program, const Case& a_case, const std::vector<Inputs>& inputs,
                 const Executor& executor);

}  // namespace lockstep
