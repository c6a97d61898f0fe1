#include "fused/host/strategies.h"

#include "reference/contract/hash.h"

#include <algorithm>
#include <tuple>

namespace lockstep {
namespace {

// The lowest, and before all others those that are `preferred`.
template <typename Preferred>
Pick lowest(Preferred preferred) {
  return [preferred](std::span<const Step> ready) {
    const auto order = [&](const Step& s) { return std::tuple(!preferred(s), s.call, s.op); };
    return static_cast<std::size_t>(std::ranges::min_element(ready, {}, order) - ready.begin());
  };
}

class ByPriority {
 public:
  ByPriority(std::uint64_t seed, const Program& program) : program_(program) {
    std::size_t lanes = 0, ops = 0;
    for (const Plan& plan : program.calls) {
      lanes_ = std::max(lanes_, plan.lanes.size());
      lanes = std::max(lanes, lanes_ * static_cast<std::size_t>(plan.ranks));
      ops += plan.ops.size();
    }
    // Above all that lanes fall to.
    for (std::size_t lane = 0; lane < lanes; ++lane) priorities_.push_back(4 + mix(seed, 1, lane) / 8);
    for (std::uint64_t d = 1 + mix(seed) % 3, point = 1; point < d; ++point)
      points_.push_back(mix(seed, 2, point) % std::max<std::size_t>(ops, 1));
  }

  std::size_t operator()(std::span<const Step> ready) {
    auto which = highest(ready);
    if (std::ranges::count(points_, step_++) > 0) {
      priorities_[lane_of(*which)] = --lowest_;
      which = highest(ready);
    }
    return static_cast<std::size_t>(which - ready.begin());
  }

 private:
  std::span<const Step>::iterator highest(std::span<const Step> ready) const {
    // Where several operations of a lane are ready, of two calls, the earlier.
    return std::ranges::max_element(ready, {}, [&](const Step& s) {
      const std::size_t lane = lane_of(s);
      return std::tuple(priorities_[lane], lane, -s.call, -s.op);
    });
  }

  std::size_t lane_of(const Step& step) const {
    const PlanOp& op = op_at(program_, step);
    return static_cast<std::size_t>(op.rank) * lanes_ + static_cast<std::size_t>(op.lane);
  }

  const Program& program_;
  std::size_t lanes_ = 0;  // of a rank
  std::vector<std::uint64_t> priorities_, points_;
  std::uint64_t step_ = 0, lowest_ = 4;
};

}  // namespace

Pick late(Index rank, const Program& program) {
  return lowest([rank, &program](const Step& s) { return op_at(program, s).rank != rank; });
}

Pick fast(Index rank, const Program& program) {
  return lowest([rank, &program](const Step& s) { return op_at(program, s).rank == rank; });
}

Pick at_random(std::uint64_t seed) {
  return [state = mix(seed)](std::span<const Step> ready) mutable {
    state = mix(state);
    return static_cast<std::size_t>(state % ready.size());
  };
}

Pick by_priority(std::uint64_t seed, const Program& program) { return ByPriority(seed, program); }

}  // namespace lockstep
