#include "oracle/judges/observe.h"

#include "fused/host/execute.h"
#include "oracle/judges/stopwatch.h"

namespace lockstep {
namespace {

void write_inputs(Memory& memory, Index call, const NamedTensors& inputs) {
  for (const auto& [name, ranks] : inputs)
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      memory.write(call, name, static_cast<Index>(rank), ranks[rank].bytes);
}

Pick pick_of(const Executor& executor, const Program& program) {
  if (executor.kind == ExecutorKind::adversary) return at_random(executor.seed);
  return executor.kind == ExecutorKind::late ? late(static_cast<Index>(executor.seed), program) : first_in_order();
}

NamedTensors read_outputs(const Memory& memory, Index call, const NamedTensors& like) {
  NamedTensors outputs;
  for (const auto& [name, ranks] : like)
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      const auto bytes = memory.read(call, name, static_cast<Index>(rank)).first(ranks[rank].bytes.size());
      outputs[name].push_back({ranks[rank].dtype, ranks[rank].rows, ranks[rank].cols, {bytes.begin(), bytes.end()}});
    }
  return outputs;
}

}  // namespace

std::optional<std::string> memory_finding(const Observed& observed) {
  if (!observed.broken_guards.empty()) return observed.broken_guards.front();
  if (observed.inputs_changed) return "an input was changed";
  return {};
}

Observed observe(const Program& program, const std::vector<NamedTensors>& inputs, const std::vector<NamedTensors>& like,
                 const Executor& executor, Arithmetic arithmetic) {
  Memory memory(program);
  for (std::size_t call = 0; call < inputs.size(); ++call) write_inputs(memory, static_cast<Index>(call), inputs[call]);
  const std::uint64_t before = memory.hash_of_inputs();
  const Pick pick = pick_of(executor, program);
  Observed observed;
  const Stopwatch stopwatch;
  observed.walked = execute(program, pick, memory, arithmetic);
  observed.seconds = stopwatch.seconds();
  observed.inputs_changed = memory.hash_of_inputs() != before;
  observed.broken_guards = memory.broken_guards();
  for (std::size_t call = 0; call < like.size(); ++call)
    observed.outputs.push_back(read_outputs(memory, static_cast<Index>(call), like[call]));
  return observed;
}

}  // namespace lockstep
