#include "fused/plan/malformed.h"

#include "fused/plan/print.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

using Finding = std::optional<std::string>;

bool in(Index index, Index size) { return index >= 0 && index < size; }

Finding region_finding(const Plan& plan, const Region& region) {
  if (!in(region.buffer, std::ssize(plan.buffers))) return "names a buffer that is not there";
  const Buffer& buffer = plan.buffers[static_cast<std::size_t>(region.buffer)];
  if (!in(region.rank, std::ssize(buffer.elements)))
    return fmt::format("names rank {} of {}", region.rank, buffer.name);
  if (region.rows < 0 || region.cols < 0 || region.ld < 0) return "has a negative extent";
  const Index size = buffer.elements[static_cast<std::size_t>(region.rank)];
  if (!region.empty() && (region.offset < 0 || region.end() > size))
    return fmt::format("reaches elements {}..{} of {} of rank {}, which has {}", region.offset, region.end() - 1,
                       buffer.name, region.rank, size);
  return {};
}

struct Findings {
  const Plan& plan;

  Finding regions(std::initializer_list<Region> all) const {
    for (const Region& region : all)
      if (auto finding = region_finding(plan, region)) return finding;
    return {};
  }

  Finding operator()(const Gemm& gemm) const {
    if (auto finding = regions({gemm.a, gemm.b, gemm.d, gemm.bias.value_or(gemm.d)})) return finding;
    if (gemm.a.cols != gemm.b.cols || gemm.d.rows != gemm.a.rows || gemm.d.cols != gemm.b.rows)
      return "multiplies shapes that do not fit";
    if (gemm.bias && (gemm.bias->rows != 1 || gemm.bias->cols != gemm.d.cols)) return "adds a bias that does not fit";
    return {};
  }
  Finding operator()(const Reduce& reduce) const {
    if (auto finding = regions({reduce.d})) return finding;
    for (const Region& source : reduce.sources) {
      if (auto finding = regions({source})) return finding;
      if (source.rows != reduce.d.rows || source.cols != reduce.d.cols) return "sums regions of different shapes";
    }
    return {};
  }
  Finding counter(Index index) const {
    return in(index, std::ssize(plan.counters)) ? Finding{} : "names a counter that is not there";
  }
  Finding operator()(const Signal& signal) const {
    return signal.add > 0 ? counter(signal.counter) : "adds to a counter what is not positive";
  }
  Finding operator()(const Wait& wait) const { return counter(wait.counter); }
  Finding operator()(const Begin&) const { return {}; }
  Finding operator()(const End&) const { return {}; }
};

Finding op_finding(const Plan& plan, std::size_t index) {
  const PlanOp& op = plan.ops[index];
  if (!in(op.rank, plan.ranks) || !in(op.lane, std::ssize(plan.lanes))) return "stands on a lane that is not there";
  for (Index before : op.after)
    if (!in(before, static_cast<Index>(index)) || plan.ops[static_cast<std::size_t>(before)].rank != op.rank)
      return "comes after an operation that is not an earlier one of its rank";
  return std::visit(Findings{plan}, op.body);
}

}  // namespace

Finding malformed(const Plan& plan) {
  for (std::size_t index = 0; index < plan.ops.size(); ++index)
    if (const auto finding = op_finding(plan, index))
      return fmt::format("operation {} ({}) {}", index, title(plan, plan.ops[index]), *finding);
  return {};
}

}  // namespace lockstep
