// What the stages of a layer share: its problem, where the plan has got to, and what delayed scaling keeps.
#pragma once

#include "fused/plan/flow.h"

#include <map>

namespace lockstep {

// What a layer under delayed scaling keeps of a role from call to call, and the amax of this call, on each rank.
struct KeptScale {
  std::vector<Region> scale;    // [1, 1]
  std::vector<Region> history;  // [1, n]
  std::vector<Region> amax;     // [1, 1]
};

struct LayerFlow {
  Flow flow;
  const Problem& problem;
  std::map<Role, KeptScale> kept{};  // delayed scaling: the roles of the pass

  const Recipe& recipe() const { return problem.recipe; }
};

// "x.codes"
inline std::string named(Role role, const char* what) { return fmt::format("{}.{}", name(role), what); }

inline Shape scalar_of_rank(Index) { return {1, 1}; }

inline DType type_of(const LayerFlow& layer, const Region& region) {
  return layer.flow.plan.plan().buffers[static_cast<std::size_t>(region.buffer)].dtype;
}

// Of each rank's operand.
inline std::vector<Region> values_of(const std::vector<Operand>& operands) {
  std::vector<Region> values;
  for (const Operand& operand : operands) values.push_back(operand.values);
  return values;
}

inline std::vector<Region> inverses_of(const std::vector<Operand>& operands) {
  std::vector<Region> inverses;
  for (const Operand& operand : operands) inverses.push_back(operand.scales->inverse);
  return inverses;
}

}  // namespace lockstep
