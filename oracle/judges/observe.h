// Runs a program, on the host or on the device, on given inputs and keeps all that a judge looks at.
#pragma once

#include "fused/host/execute_parts.h"
#include "fused/host/watch.h"
#include "oracle/inputs/inputs.h"

#include <optional>

namespace lockstep {

struct Observed {
  Walked walked;
  std::vector<NamedTensors> outputs;  // of each call; with the last one what is kept
  std::vector<std::string> broken_guards;
  bool inputs_changed = false;
  double seconds = 0;  // of the execution alone
};

// One sentence where a guard zone or an input was written to.
std::optional<std::string> memory_finding(const Observed& observed);

// Over every byte of every output.
std::uint64_t hash_of_outputs(const Observed& observed);

// Of each call, to the buffers of their names.
void write_inputs(Memory& memory, const std::vector<NamedTensors>& inputs);

// What each operation does, from what it would do: to look on, or to have it done otherwise. On the host, one operation
// at a time, also where the executor is threads.
using Around = std::function<Effect(Effect, const ProgramInParts&, Memory&)>;

// Of a program that is not malformed. `like` has a tensor of the right shape and type for every output. The watch
// is told of what runs in this process.
Observed observe(const Program& program, const std::vector<NamedTensors>& inputs, const std::vector<NamedTensors>& like,
                 const Executor& executor, Arithmetic arithmetic = Arithmetic::f32, const Around& around = {},
                 const Watch& watch = {});

}  // namespace lockstep
