#include "oracle/hazards/races.h"

#include "fused/plan/accesses.h"
#include "fused/plan/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep {
namespace {

struct Access {
  std::size_t node;
  Region region;
  bool writes;
};

// What one piece of memory is known by: of kept buffers the name, of others the call too.
using Place = std::tuple<std::string, Index, Index>;  // name, rank, call or -1

std::map<Place, std::vector<Access>> accesses_by_place(const Program& program, const Graph& graph) {
  std::map<Place, std::vector<Access>> all;
  for (std::size_t node = 0; node < graph.steps.size(); ++node) {
    const Step& step = graph.steps[node];
    const Plan& plan = program.calls[static_cast<std::size_t>(step.call)];
    const auto add = [&](const std::vector<Region>& regions, bool writes) {
      for (const Region& region : regions) {
        const Buffer& buffer = plan.buffers[static_cast<std::size_t>(region.buffer)];
        const Index call = is_kept(buffer.kind) ? -1 : step.call;
        if (!region.empty()) all[{buffer.name, region.rank, call}].push_back({node, region, writes});
      }
    };
    const Accesses accesses = accesses_of(op_at(program, step));
    add(accesses.reads, false), add(accesses.writes, true);
  }
  return all;
}

bool conflict(const Access& a, const Access& b) {
  return a.node != b.node && (a.writes || b.writes) && overlap(a.region, b.region);
}

}  // namespace

bool overlap(const Region& a, const Region& b) {
  if (a.empty() || b.empty()) return false;
  if (a.end() <= b.offset || b.end() <= a.offset) return false;
  for (Index i = 0; i < a.rows; ++i) {
    const Index begin = a.offset + i * a.ld, end = begin + a.cols;
    // Rows k of b with b.offset + k b.ld in (begin - b.cols, end).
    const Index step = std::max<Index>(b.ld, 1);
    const Index from = begin - b.cols + 1 - b.offset, to = end - 1 - b.offset;
    if (to < 0) continue;
    const Index first = from <= 0 ? 0 : (from + step - 1) / step;
    if (first <= std::min(to / step, b.rows - 1)) return true;
  }
  return false;
}

std::vector<Race> races(const Program& program, std::size_t most) {
  const HappensBefore order(program);
  std::vector<Race> found;
  for (const auto& [place, accesses] : accesses_by_place(program, order.graph()))
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (std::size_t j = i + 1; j < accesses.size() && found.size() < most; ++j) {
        const Access &a = accesses[i], &b = accesses[j];
        if (conflict(a, b) && !order.before(a.node, b.node) && !order.before(b.node, a.node))
          found.push_back({order.graph().steps[a.node], order.graph().steps[b.node], a.region});
      }
  return found;
}

std::string describe(const Program& program, const Race& race) {
  const auto name = [&](const Step& step) {
    const Plan& plan = program.calls[static_cast<std::size_t>(step.call)];
    return fmt::format("call {} operation {} ({})", step.call, step.op, title(plan, op_at(program, step)));
  };
  const Plan& plan = program.calls[static_cast<std::size_t>(race.one.call)];
  return fmt::format("{} and {} both touch {} of rank {}, and nothing orders them", name(race.one), name(race.other),
                     plan.buffers[static_cast<std::size_t>(race.region.buffer)].name, race.region.rank);
}

}  // namespace lockstep
