#include "oracle/judges/observe.h"

#include "fused/host/execute.h"
#include "oracle/judges/stopwatch.h"

namespace lockstep {
namespace {

void write_inputs(Memory& memory, Index call, const Inputs& inputs) {
  for (Index rank = 0; rank < std::ssize(inputs.x); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    memory.write(call, "x", rank, inputs.x[r].bytes);
    memory.write(call, "w", rank, inputs.w[r].bytes);
    memory.write(call, "b", rank, inputs.b[r].bytes);
  }
}

std::vector<Tensor> read_outputs(const Memory& memory, Index which, const Call& call) {
  std::vector<Tensor> outputs;
  for (Index rank = 0; rank < call.tp; ++rank) {
    const auto bytes = memory.read(which, "y", rank);
    outputs.push_back({call.dtype, part(call.tokens, call.tp, rank).size(), call.out, {bytes.begin(), bytes.end()}});
  }
  return outputs;
}

}  // namespace

Observed observe(const Program& program, const Case& a_case, const std::vector<Inputs>& inputs,
                 const Executor& executor) {
  Memory memory(program);
  for (std::size_t call = 0; call < inputs.size(); ++call) write_inputs(memory, static_cast<Index>(call), inputs[call]);
  const std::uint64_t before = memory.hash_of_inputs();
  const Pick pick = executor.kind == ExecutorKind::adversary ? at_random(executor.seed) : first_in_order();
  Observed observed;
  const Stopwatch stopwatch;
  observed.walked = execute(program, pick, memory);
  observed.seconds = stopwatch.seconds();
  observed.inputs_changed = memory.hash_of_inputs() != before;
  observed.broken_guards = memory.broken_guards();
  for (std::size_t call = 0; call < a_case.calls.size(); ++call)
    observed.outputs.push_back(read_outputs(memory, static_cast<Index>(call), a_case.calls[call]));
  return observed;
}

}  // namespace lockstep
