#include "fused/plan/parts.h"

#include "fused/plan/cut.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace lockstep {
namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

class InParts {
 public:
  InParts(const Plan& whole, Index parts) : whole_(whole), parts_(parts), now_(whole.ops.size()) {
    all_.plan = whole;
    all_.plan.ops.clear();
    tails_.resize(at(whole.ranks) * whole.lanes.size());
    lanes_.resize(whole.lanes.size());
    add_spare_places();
  }

  PlanInParts run() {
    for (Index op = 0; op < std::ssize(whole_.ops); ++op) add(op);
    return std::move(all_);
  }

 private:
  // One place a rank and part after the first, for every operation that needs them.
  void add_spare_places() {
    std::vector<Index> elements(at(whole_.ranks), 0);
    for (const PlanOp& op : whole_.ops)
      if (needs_spare(op.body)) elements[at(op.rank)] += parts_ - 1;
    all_.plan.buffers.push_back({"parts", BufferKind::workspace, DType::f32, std::move(elements), false});
    next_spare_.resize(at(whole_.ranks), 0);
  }

  std::vector<Region> spare_places(const PlanOp& op) {
    std::vector<Region> places;
    for (Index part = 1; part < parts_ && needs_spare(op.body); ++part)
      places.push_back({std::ssize(all_.plan.buffers) - 1, op.rank, next_spare_[at(op.rank)]++, 1, 1, 1});
    return places;
  }

  void add(Index index) {
    const PlanOp& op = whole_.ops[at(index)];
    auto& tail = tails_[at(op.rank) * whole_.lanes.size() + at(op.lane)];
    const std::vector<Index> after = parts_of(op.after);
    const std::vector<PlanBody> pieces = cut(op.body, parts_, spare_places(op));
    for (std::size_t part = 0; part < pieces.size(); ++part) {
      PlanOp piece{pieces[part], op.rank, lane(op.lane, part), op.split, after};
      // The first part comes after the first of the operation before it by its lane.
      if (tail) append(piece.after, now_[at(*tail)], part == 0 ? 1 : 0);
      now_[at(index)].push_back(std::ssize(all_.plan.ops));
      all_.plan.ops.push_back(std::move(piece));
      all_.part_of.push_back(index);
    }
    tail = index;
  }

  // Lane `lane` for the first part, one named after it for each other.
  Index lane(Index lane, std::size_t part) {
    if (part == 0) return lane;
    auto& of_parts = lanes_[at(lane)];
    while (of_parts.size() < part) {
      all_.plan.lanes.push_back(whole_.lanes[at(lane)] + ", part " + std::to_string(of_parts.size() + 2));
      of_parts.push_back(std::ssize(all_.plan.lanes) - 1);
    }
    return of_parts[part - 1];
  }

  std::vector<Index> parts_of(const std::vector<Index>& ops) const {
    std::vector<Index> all;
    for (Index op : ops) append(all, now_[at(op)], 0);
    return all;
  }

  static void append(std::vector<Index>& to, const std::vector<Index>& parts, Index from) {
    to.insert(to.end(), parts.begin() + from, parts.end());
  }

  const Plan& whole_;
  Index parts_;
  PlanInParts all_;
  std::vector<std::vector<Index>> now_;      // of each operation, its parts
  std::vector<std::optional<Index>> tails_;  // of each rank and lane, the last operation so far
  std::vector<std::vector<Index>> lanes_;    // of each lane, those of its parts after the first
  std::vector<Index> next_spare_;            // of each rank
};

}  // namespace

PlanInParts in_parts(const Plan& plan, Index parts) {
  if (parts > 1) return InParts(plan, parts).run();
  PlanInParts whole{plan, std::vector<Index>(plan.ops.size())};
  std::iota(whole.part_of.begin(), whole.part_of.end(), Index{0});
  return whole;
}

ProgramInParts in_parts(const Program& program, Index parts) {
  ProgramInParts all{{{}, program.counter_base}, {}};
  for (const Plan& plan : program.calls) {
    PlanInParts call = in_parts(plan, parts);
    all.program.calls.push_back(std::move(call.plan));
    all.part_of.push_back(std::move(call.part_of));
  }
  return all;
}

}  // namespace lockstep
