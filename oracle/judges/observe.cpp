#include "oracle/judges/observe.h"

#include "fused/cuda/execute.h"
#include "fused/host/execute_parts.h"
#include "fused/host/strategies.h"
#include "fused/mpi/team.h"
#include "fused/plan/malformed.h"
#include "oracle/judges/stopwatch.h"
#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

// Of how many parts its operations are.
Index parts_of(const Executor& executor) {
  return takes_seed(executor.kind) ? 1 + static_cast<Index>(mix(executor.seed, 3) % 3) : 1;
}

Pick pick_of(const Executor& executor, const Program& program) {
  const auto rank = static_cast<Index>(executor.seed);
  if (executor.kind == ExecutorKind::adversary) return at_random(executor.seed);
  if (executor.kind == ExecutorKind::pct) return by_priority(executor.seed, program);
  if (executor.kind == ExecutorKind::late) return late(rank, program);
  return executor.kind == ExecutorKind::fast ? fast(rank, program) : first_in_order();
}

// Delayed at random where the order is random; the late rank is late there too.
OnDevice how_on_device(const Executor& executor, Arithmetic arithmetic) {
  OnDevice how{.fast_accumulate = arithmetic == Arithmetic::hopper_fast};
  if (takes_seed(executor.kind)) how.delays = mix(executor.seed, 5);
  if (executor.kind == ExecutorKind::late) how.late = static_cast<Index>(executor.seed);
  return how;
}

Walked run(const Program& whole, const ProgramInParts& parts, const Executor& executor, Memory& memory,
           Arithmetic arithmetic, const Around& around, const Watch& watch) {
  if (around)
    return walk(parts.program, pick_of(executor, parts.program),
                around(host_effect(parts.program, memory, arithmetic), parts, memory));
  const bool on_device = executor.device == RunsOn::cuda;
  if (executor.kind == ExecutorKind::mpi)
    return of_wholes(parts, execute_in_team(parts.program, memory, {arithmetic, executor.seed, on_device}));
  if (on_device)
    return execute_on_device(parts.program, pick_of(executor, parts.program), memory,
                             how_on_device(executor, arithmetic), watch);
  if (executor.kind == ExecutorKind::threads)
    return execute_in_threads(whole, parts, {.seed = executor.seed}, memory, arithmetic, watch);
  return execute_parts(parts, pick_of(executor, parts.program), memory, arithmetic, watch);
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

void write_inputs(Memory& memory, const std::vector<NamedTensors>& inputs) {
  for (std::size_t call = 0; call < inputs.size(); ++call)
    for (const auto& [name, ranks] : inputs[call])
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        memory.write(static_cast<Index>(call), name, static_cast<Index>(rank), ranks[rank].bytes);
}

std::optional<std::string> memory_finding(const Observed& observed) {
  if (!observed.broken_guards.empty()) return observed.broken_guards.front();
  if (observed.inputs_changed) return "an input was changed";
  return {};
}

std::uint64_t hash_of_outputs(const Observed& observed) {
  std::uint64_t all = observed.outputs.size();
  for (const NamedTensors& outputs : observed.outputs)
    for (const auto& [name, ranks] : outputs)
      for (const Tensor& tensor : ranks)
        all = mix(all, hash_of(std::as_bytes(std::span(name))), hash_of(std::as_bytes(std::span(tensor.bytes))));
  return all;
}

Observed observe(const Program& program, const std::vector<NamedTensors>& inputs, const std::vector<NamedTensors>& like,
                 const Executor& executor, Arithmetic arithmetic, const Around& around, const Watch& watch) {
  CHECK(!malformed(program), "a program that is malformed cannot be run");
  const bool whole = executor.device == RunsOn::cuda && !around;
  const ProgramInParts parts = in_parts(program, whole ? 1 : parts_of(executor));
  Memory memory(parts.program);
  write_inputs(memory, inputs);
  const std::uint64_t before = memory.hash_of_inputs();
  Observed observed;
  const Stopwatch stopwatch;
  observed.walked = run(program, parts, executor, memory, arithmetic, around, watch);
  observed.seconds = stopwatch.seconds();
  observed.inputs_changed = memory.hash_of_inputs() != before;
  observed.broken_guards = memory.broken_guards();
  for (std::size_t call = 0; call < like.size(); ++call)
    observed.outputs.push_back(read_outputs(memory, static_cast<Index>(call), like[call]));
  return observed;
}

}  // namespace lockstep
