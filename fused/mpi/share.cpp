#include "fused/mpi/share.h"

#include "fused/host/strategies.h"
#include "fused/host/threads.h"
#include "fused/plan/accesses.h"
#include "reference/contract/hash.h"

#include <atomic>

namespace lockstep {
namespace {

static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free, "counters are shared between processes");

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

}  // namespace

Share::Share(const Program& program, TeamState& team, const Piece& piece, const InTeam& how)
    : program_(program),
      team_(team),
      piece_(piece),
      memory_(program, piece.storage),
      counters_(program),
      effect_(host_effect(program, memory_, how.arithmetic)),
      pick_(at_random(mix(how.seed, static_cast<std::uint64_t>(team.all.rank())))),
      seed_(how.seed),
      ready_(
          program, [this](const Step& step, const Wait& wait) { return satisfied(step, wait); },
          [&team](Index rank) { return team.process_of(rank) == team.all.rank(); }) {}

void Share::go_on() {
  team_.memory.look();
  for (ready_.wake(); !ready_.steps().empty(); ready_.wake()) {
    const std::size_t node = ready_.take(pick_(ready_.steps()));
    execute(ready_.graph().steps[node]);
    ready_.end(node);
  }
}

bool Share::satisfied(const Step& step, const Wait& wait) const {
  const std::atomic_ref value(piece_.counters[counters_.id(step, wait.counter)]);
  return reached(counter_at(program_, step, wait.counter), value.load(std::memory_order_acquire),
                 counters_.wanted(step, wait));
}

void Share::execute(const Step& step) {
  const auto* signals = std::get_if<Signal>(&op_at(program_, step).body);
  if (seed_ != 0) delay(seed_, step, signals ? DelayPoint::before_signal : DelayPoint::before_operation);
  fetch(step);
  effect_(step);
  push(step);
  if (signals) signal(step, *signals);
}

std::vector<std::span<std::byte>> Share::rows_elsewhere(const Step& step, const Region& region) {
  if (region.empty() || team_.node_of(region.rank) == team_.own_node()) return {};
  const auto bytes = memory_.bytes(step.call, region.buffer, region.rank);
  const Index size = bytes_of(plan_at(program_, step).buffers[at(region.buffer)].dtype);
  std::vector<std::span<std::byte>> rows;
  for (Index i = 0; i < region.rows; ++i)
    rows.push_back(bytes.subspan(at((region.offset + i * region.ld) * size), at(region.cols * size)));
  return rows;
}

void Share::fetch(const Step& step) {
  for (const Region& region : accesses_of(op_at(program_, step)).reads) {
    for (const auto row : rows_elsewhere(step, region)) team_.memory.get(team_.node_of(region.rank), row);
    if (team_.node_of(region.rank) != team_.own_node()) team_.memory.flush(team_.node_of(region.rank));
  }
}

void Share::push(const Step& step) {
  for (const Region& region : accesses_of(op_at(program_, step)).writes) {
    for (const auto row : rows_elsewhere(step, region)) team_.memory.put(team_.node_of(region.rank), row);
    if (team_.node_of(region.rank) != team_.own_node()) team_.memory.flush(team_.node_of(region.rank));
  }
}

void Share::signal(const Step& step, const Signal& signal) {
  std::uint64_t& counter = piece_.counters[counters_.id(step, signal.counter)];
  const auto add = static_cast<std::uint64_t>(signal.add);
  for (Index node = 0; node < std::ssize(team_.roots); ++node)
    if (node == team_.own_node())
      std::atomic_ref(counter).fetch_add(add, std::memory_order_release);
    else
      team_.memory.add(node, counter, add);
}

}  // namespace lockstep
