#include "oracle/hazards/memory_hazards.h"

#include "oracle/hazards/clocks.h"
#include "oracle/hazards/race.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

class Search {
 public:
  Search(const Program& program, const Order& order, std::size_t most)
      : program_(program),
        order_(order),
        most_(most),
        touches_(program),
        clocks_(program, order),
        shadows_(touches_.places()),
        when_(order.graph.steps.size(), 0) {}

  std::vector<Hazard> run() {
    std::size_t now = 0;
    for (std::size_t node : order_.sequence) {
      if (found_.size() >= most_) break;
      clocks_.advance(node);
      when_[node] = ++now;
      const auto touches = touches_.of(step(node));
      check_aliases(node, touches);
      for (const Touch& touch : touches) check(node, touch);
      for (const Touch& touch : touches) shadows_[touch.place].add(trace(node, touch));
    }
    for (Hazard& hazard : unexplained_reads()) found_.push_back(std::move(hazard));
    return std::move(found_);
  }

 private:
  const Step& step(std::size_t node) const { return order_.graph.steps[node]; }
  static Trace trace(std::size_t node, const Touch& touch) { return {node, touch.bytes, touch.access, touch.region}; }

  void report(HazardKind kind, std::string sentence, std::vector<std::size_t> nodes) {
    std::vector<Step> steps;
    for (std::size_t node : nodes) steps.push_back(step(node));
    found_.push_back({kind, std::move(sentence), std::move(steps)});
  }

  void check(std::size_t node, const Touch& touch) {
    const Shadow& shadow = shadows_[touch.place];
    const Trace here = trace(node, touch);
    const auto others = shadow.overlapping(touch.bytes);
    for (const Trace* other : others) check_race(*other, here);
    if (touch.access == Access::writes) check_lost(others, here);
    if (touch.access == Access::reads)
      if (const auto first = shadow.first_without_value(touch.bytes)) report_no_value(here, *first);
  }

  void check_race(const Trace& earlier, const Trace& here) {
    if (!(changes(earlier.access) || changes(here.access)) || clocks_.before(earlier.node)) return;
    const bool turned = should_come_first(here, earlier);
    const Racing race{turned ? here : earlier, turned ? earlier : here};
    if (!is_reported(race.earlier.node, race.later.node))
      report(HazardKind::race, describe(program_, order_, race), {race.earlier.node, race.later.node});
  }

  // In a call values are written before they are read.
  bool should_come_first(const Trace& one, const Trace& other) const {
    return one.access == Access::writes && other.access == Access::reads &&
           step(one.node).call == step(other.node).call;
  }

  bool is_reported(std::size_t one, std::size_t other) const {
    return std::ranges::any_of(found_, [&](const Hazard& hazard) {
      return hazard.kind == HazardKind::race && hazard.operations == std::vector{step(one), step(other)};
    });
  }

  void check_lost(const std::vector<const Trace*>& others, const Trace& here) {
    const PlanOp& op = op_at(program_, step(here.node));
    for (const Trace* other : others) {
      const Step& lost = step(other->node);
      if (other->access != Access::writes || lost.call != step(here.node).call ||
          op_at(program_, lost).rank == op.rank || std::holds_alternative<Begin>(op_at(program_, lost).body))
        continue;
      const bool is_read = std::ranges::any_of(others, [&](const Trace* reader) {
        return reader->access == Access::reads && when_[reader->node] > when_[other->node] &&
               overlap(reader->bytes, other->bytes);
      });
      if (is_read || !clocks_.before(other->node)) continue;
      report(HazardKind::lost_write,
             fmt::format("{} writes {} before anybody has read what {} wrote there", named(program_, step(here.node)),
                         bytes_named(program_, step(here.node), here.region, {here.bytes.offset, here.bytes.end()}),
                         named(program_, lost)),
             {other->node, here.node});
    }
  }

  void report_no_value(const Trace& here, Index first) {
    const bool ends = std::holds_alternative<End>(op_at(program_, step(here.node)).body);
    without_value_.push_back({HazardKind::no_value,
                              fmt::format("{} {} {}, where nothing was written", named(program_, step(here.node)),
                                          ends ? "hands over" : "reads",
                                          bytes_named(program_, step(here.node), here.region, {first, first + 1})),
                              {step(here.node)}});
  }

  // A read that races with the write that should have come first has no value in one order of the two alone.
  std::vector<Hazard> unexplained_reads() const {
    std::vector<Hazard> all;
    for (const Hazard& read : without_value_)
      if (std::ranges::none_of(found_, [&](const Hazard& hazard) {
            return hazard.kind == HazardKind::race &&
                   std::ranges::find(hazard.operations, read.operations[0]) != hazard.operations.end();
          }))
        all.push_back(read);
    return all;
  }

  // Element by element an operation may write what it reads; not so the operands of a product, nor what it transposes.
  bool may_alias(const PlanOp& op, const Touch& read, const Touch& write) const {
    if (read.region != write.region || std::holds_alternative<Transpose>(op.body)) return false;
    if (const auto* blocks = std::get_if<QuantizeBlocks>(&op.body)) return !blocks->transposed;
    const auto* gemm = std::get_if<Gemm>(&op.body);
    return !gemm || (read.region != gemm->a.values && read.region != gemm->b.values);
  }

  void check_aliases(std::size_t node, const std::vector<Touch>& touches) {
    const PlanOp& op = op_at(program_, step(node));
    for (std::size_t i = 0; i < touches.size(); ++i)
      for (std::size_t j = 0; j < touches.size(); ++j) {
        const Touch &one = touches[i], &write = touches[j];
        if (write.access != Access::writes || i == j || one.place != write.place ||
            (one.access == Access::writes && i > j))
          continue;
        if (!overlap(one.bytes, write.bytes) || (one.access == Access::reads && may_alias(op, one, write))) continue;
        return report(
            HazardKind::alias,
            fmt::format("{} writes {}, which it {} in another arrangement", named(program_, step(node)),
                        bytes_named(program_, step(node), write.region, {write.bytes.offset, write.bytes.end()}),
                        one.access == Access::writes ? "writes" : "reads"),
            {node});
      }
  }

  const Program& program_;
  const Order& order_;
  std::size_t most_;
  Touches touches_;
  Clocks clocks_;
  std::vector<Shadow> shadows_;
  std::vector<std::size_t> when_;  // of each node that was walked
  std::vector<Hazard> found_, without_value_;
};

}  // namespace

std::vector<Hazard> memory_hazards(const Program& program, const Order& order, std::size_t most) {
  return Search(program, order, most).run();
}

}  // namespace lockstep
