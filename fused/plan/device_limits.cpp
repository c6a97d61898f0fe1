#include "fused/plan/device_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

Index most_lanes_of_a_device(const Program& program, const Graph& graph, Index devices) {
  std::vector<Index> of_device(static_cast<std::size_t>(devices));
  for (const auto& lane : lanes_of(program, graph))
    ++of_device[static_cast<std::size_t>(op_at(program, graph.steps[lane.front()]).rank % devices)];
  return std::ranges::max(of_device);
}

Index largest_reduction(const Program& program) {
  Index largest = 0;
  for (const Plan& plan : program.calls)
    for (const PlanOp& op : plan.ops)
      if (const auto* reduce = std::get_if<Reduce>(&op.body)) largest = std::max(largest, std::ssize(reduce->sources));
  return largest;
}

}  // namespace

std::string beyond_devices(const Program& program, const Graph& graph, Index devices) {
  if (const Index lanes = most_lanes_of_a_device(program, graph, devices); lanes > most_resident_lanes)
    return fmt::format("{} lanes on one device would wait for each other, at most {} can be resident at once", lanes,
                       most_resident_lanes);
  if (const Index sources = largest_reduction(program); sources > most_reduced)
    return fmt::format("a reduction has {} sources, on a device at most {}", sources, most_reduced);
  return "";
}

}  // namespace lockstep
