// A schedule on the devices, made ready to be timed.
#pragma once

#include "bench/cuda/numbers.h"
#include "fused/cuda/program.h"
#include "fused/plan/early_sends.h"
#include "fused/plan/late_waits.h"
#include "fused/plan/signals_aside.h"

#include <algorithm>

namespace lockstep {

// Rewritten by all that keeps the wire busy, each first send in two pieces.
inline Program for_the_wire(const Program& program) {
  return with_late_waits(with_early_sends(with_signals_aside(program), 2));
}

// A copy, or a sum of what lies with others.
inline bool is_transfer(const PlanBody& body) {
  const auto* sum = std::get_if<Reduce>(&body);
  const auto is_remote = [&](const Region& source) { return source.rank != sum->d.rank; };
  return std::holds_alternative<Copy>(body) || (sum && std::ranges::any_of(sum->sources, is_remote));
}

// BF16 numbers for every buffer of every rank, inputs or not.
inline void fill_buffers(const DeviceProgram& on_device, const Plan& plan) {
  for (Index b = 0; b < std::ssize(plan.buffers); ++b)
    for (Index rank = 0; rank < plan.ranks; ++rank) {
      const Index elements = plan.buffers[static_cast<std::size_t>(b)].elements[static_cast<std::size_t>(rank)];
      if (elements > 0)
        fill_with_numbers(on_device.memory().matrix(0, {b, rank, 0, 1, elements, elements}).data,
                          static_cast<std::size_t>(2 * elements));
    }
}

// Two of each, launched in turn: a graph is not made ready while it runs.
struct Captured {
  DeviceProgram& on_device;
  ExecutableGraph graphs[2];
  mutable int next = 0;

  Captured(DeviceProgram& program, const Kept& keep)
      : on_device(program), graphs{program.capture(keep), program.capture(keep)} {}
  void launch() const { on_device.launch(graphs[next ^= 1]); }
};

}  // namespace lockstep
