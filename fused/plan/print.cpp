#include "fused/plan/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep {
namespace {

std::string kind(const PlanOp& op) {
  constexpr const char* names[] = {"begin", "end", "gemm", "reduce", "signal", "wait"};
  static_assert(std::size(names) == std::variant_size_v<decltype(op.body)>);
  return names[op.body.index()];
}

struct Details {
  const Plan& plan;

  std::string region(const Region& r) const {
    return fmt::format("{}@{}[{} + {}x{} ld {}]", plan.buffers[static_cast<std::size_t>(r.buffer)].name, r.rank,
                       r.offset, r.rows, r.cols, r.ld);
  }
  std::string counter(Index index) const {
    const Counter& c = plan.counters[static_cast<std::size_t>(index)];
    return fmt::format("{}@{}", c.name, c.rank);
  }

  std::string operator()(const Gemm& g) const {
    return fmt::format("{} = {} * {}^T{}", region(g.d), region(g.a), region(g.b),
                       g.bias ? " + " + region(*g.bias) : "");
  }
  std::string operator()(const Reduce& r) const {
    std::string sources;
    for (const Region& source : r.sources) sources += (sources.empty() ? "" : " + ") + region(source);
    return fmt::format("{} = {}", region(r.d), sources.empty() ? "nothing" : sources);
  }
  std::string operator()(const Signal& s) const { return fmt::format("{} += {}", counter(s.counter), s.add); }
  std::string operator()(const Wait& w) const { return fmt::format("{} >= {}", counter(w.counter), w.value); }
  std::string operator()(const Begin&) const { return "inputs readable"; }
  std::string operator()(const End&) const { return "outputs handed over"; }
};

std::string print_buffer(const Buffer& buffer) {
  constexpr const char* kinds[] = {"input", "output", "userbuffer"};
  return fmt::format("{:<10} {:<10} {:<5} elements of each rank: {}\n", kinds[static_cast<int>(buffer.kind)],
                     buffer.name, name(buffer.dtype), fmt::join(buffer.elements, " "));
}

}  // namespace

std::string title(const Plan& plan, const PlanOp& op) {
  const std::string split = op.split < 0 ? "" : fmt::format(", split {}", op.split);
  return fmt::format("rank {}, {}: {}{}", op.rank, plan.lanes[static_cast<std::size_t>(op.lane)], kind(op), split);
}

std::string details(const Plan& plan, const PlanOp& op) { return std::visit(Details{plan}, op.body); }

std::string print(const Plan& plan) {
  std::string text;
  for (const Buffer& buffer : plan.buffers) text += print_buffer(buffer);
  for (std::size_t index = 0; index < plan.ops.size(); ++index) {
    const PlanOp& op = plan.ops[index];
    const std::string after = op.after.empty() ? "" : fmt::format("   after {}", fmt::join(op.after, " "));
    text += fmt::format("{:>5}  {:<38} {}{}\n", index, title(plan, op), details(plan, op), after);
  }
  return text;
}

}  // namespace lockstep
