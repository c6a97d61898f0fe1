#include "fused/plan/device_limits.h"

#include <fmt/format.h>

#include <set>

namespace lockstep {
namespace {

Index most_lanes_of_a_device(const Program& program, Index devices) {
  std::set<std::pair<Index, std::string>> lanes;
  for (const Plan& plan : program.calls)
    for (const PlanOp& op : plan.ops) lanes.insert({op.rank, plan.lanes[static_cast<std::size_t>(op.lane)]});
  std::map<Index, Index> of_device;
  for (const auto& [rank, lane] : lanes) ++of_device[rank % devices];
  Index most = 0;
  for (const auto& [device, count] : of_device) most = std::max(most, count);
  return most;
}

Index largest_reduction(const Program& program) {
  Index largest = 0;
  for (const Plan& plan : program.calls)
    for (const PlanOp& op : plan.ops)
      if (const auto* reduce = std::get_if<Reduce>(&op.body)) largest = std::max(largest, std::ssize(reduce->sources));
  return largest;
}

}  // namespace

std::string beyond_devices(const Program& program, Index devices) {
  if (const Index lanes = most_lanes_of_a_device(program, devices); lanes > most_resident_lanes)
    return fmt::format("{} lanes on one device would wait for each other, at most {} can be resident at once", lanes,
                       most_resident_lanes);
  if (const Index sources = largest_reduction(program); sources > most_reduced)
    return fmt::format("a reduction has {} sources, on a device at most {}", sources, most_reduced);
  return "";
}

}  // namespace lockstep
