// Puts a plan together: names become indices, and an operation's index comes back when it is added.
#pragma once

#include "fused/plan/plan.h"
#include "reference/contract/refusal.h"

namespace lockstep {

class PlanBuilder {
 public:
  explicit PlanBuilder(Index ranks) { plan_.ranks = ranks; }

  template <typename ElementsOfRank>
  Index buffer(std::string name, BufferKind kind, DType dtype, ElementsOfRank elements_of) {
    Buffer buffer{std::move(name), kind, dtype, {}};
    for (Index rank = 0; rank < plan_.ranks; ++rank) buffer.elements.push_back(elements_of(rank));
    plan_.buffers.push_back(std::move(buffer));
    return std::ssize(plan_.buffers) - 1;
  }

  Index lane(std::string name) {
    plan_.lanes.push_back(std::move(name));
    return std::ssize(plan_.lanes) - 1;
  }

  std::vector<Index> counter_of_each_rank(const std::string& name) {
    std::vector<Index> counters;
    for (Index rank = 0; rank < plan_.ranks; ++rank) {
      counters.push_back(std::ssize(plan_.counters));
      plan_.counters.push_back({name, rank});
    }
    return counters;
  }

  Index add(PlanOp op) {
    plan_.ops.push_back(std::move(op));
    return last();
  }
  Index last() const { return std::ssize(plan_.ops) - 1; }

  Plan take() { return std::move(plan_); }

 private:
  Plan plan_;
};

}  // namespace lockstep
