// Puts a plan together: names become indices, and an operation's index comes back when it is added.
#pragma once

#include "fused/plan/plan.h"
#include "reference/contract/problem.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {

class PlanBuilder {
 public:
  explicit PlanBuilder(Index ranks) { plan_.ranks = ranks; }

  template <typename ElementsOfRank>
  Index buffer(std::string name, BufferKind kind, DType dtype, ElementsOfRank elements_of) {
    Buffer buffer{std::move(name), kind, dtype, {}, false};
    for (Index rank = 0; rank < plan_.ranks; ++rank) buffer.elements.push_back(elements_of(rank));
    plan_.buffers.push_back(std::move(buffer));
    return std::ssize(plan_.buffers) - 1;
  }

  void replicate(const std::vector<Region>& regions) {
    plan_.buffers[static_cast<std::size_t>(regions.front().buffer)].replicated = true;
  }

  // A buffer of one matrix on each rank, as a region each.
  template <typename ShapeOfRank>
  std::vector<Region> matrices(std::string name, BufferKind kind, DType dtype, ShapeOfRank shape_of) {
    const Index index =
        buffer(std::move(name), kind, dtype, [&](Index rank) { return shape_of(rank).rows * shape_of(rank).cols; });
    std::vector<Region> regions;
    for (Index rank = 0; rank < plan_.ranks; ++rank) {
      const Shape shape = shape_of(rank);
      regions.push_back({index, rank, 0, shape.rows, shape.cols, shape.cols});
    }
    return regions;
  }

  // The lane of this name, of every rank; new if there is none yet.
  Index lane(const std::string& name) {
    const auto found = std::ranges::find(plan_.lanes, name);
    if (found != plan_.lanes.end()) return found - plan_.lanes.begin();
    plan_.lanes.push_back(name);
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
  const Plan& plan() const { return plan_; }
  Index last() const { return std::ssize(plan_.ops) - 1; }

  Plan take() { return std::move(plan_); }

 private:
  Plan plan_;
};

}  // namespace lockstep
