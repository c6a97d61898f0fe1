#include "fused/plan/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep {
namespace {

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
  std::string operand(const Operand& o) const {
    return region(o.values) + (o.scales ? " times " + region(o.scales->inverse) : "");
  }
  std::string optional(const char* before, const std::optional<Region>& r) const {
    return r ? before + region(*r) : "";
  }

  std::string operator()(const Gemm& g) const {
    return fmt::format("{} = {}{} * {}{}{}{}{}{}", region(g.d), operand(g.a), g.a.transposed ? "^T" : "", operand(g.b),
                       g.b.transposed ? "" : "^T", optional(" + ", g.c), optional(" + ", g.bias),
                       optional(", times ", g.scale_d), optional(", amax ", g.amax));
  }
  std::string operator()(const Reduce& r) const {
    std::string sources;
    for (std::size_t i = 0; i < r.sources.size(); ++i)
      sources += (sources.empty()                 ? ""
                  : r.reduction == Reduction::sum ? " + "
                                                  : ", ") +
                 region(r.sources[i]) + (r.scale_inv.empty() ? "" : " times " + region(r.scale_inv[i]));
    return fmt::format("{} = {}{}{}", region(r.d), r.reduction == Reduction::sum ? "" : "the largest of ",
                       sources.empty() ? "nothing" : sources,
                       r.accumulate == DType::f32 ? "" : fmt::format(", in {}", name(r.accumulate)));
  }
  std::string operator()(const Copy& c) const { return fmt::format("{} = {}", region(c.to), region(c.from)); }
  std::string operator()(const Transpose& t) const { return fmt::format("{} = {}^T", region(t.to), region(t.from)); }
  std::string operator()(const Amax& a) const { return fmt::format("{} = amax of {}", region(a.amax), region(a.from)); }
  std::string operator()(const ScaleFromAmax& s) const {
    return fmt::format("{} = {} / {}", region(s.scale), format(s.format).largest, region(s.amax));
  }
  std::string operator()(const UpdateScale& u) const {
    return fmt::format("{} from the {} of {}, which takes in {}, margin {}", region(u.scale),
                       u.recipe.amax == AmaxAlgorithm::max ? "largest" : "newest", region(u.history), region(u.amax),
                       u.recipe.margin);
  }
  std::string operator()(const Inverse& i) const {
    return fmt::format("{} = 1 / {}", region(i.inverse), region(i.scale));
  }
  std::string operator()(const QuantizeTensor& q) const {
    return fmt::format("{} = {} times {}, {} its inverse", region(q.to), region(q.from), region(q.scale),
                       region(q.scale_inv));
  }
  std::string operator()(const QuantizeBlocks& q) const {
    return fmt::format("{} = {}{} in blocks of {}, scales {}", region(q.to), region(q.from), q.transposed ? "^T" : "",
                       q.scales.block, region(q.scales.inverse));
  }
  std::string operator()(const AddBias& a) const {
    return fmt::format("{} = {} + {}", region(a.to), region(a.from), region(a.bias));
  }
  std::string operator()(const BiasGrad& b) const {
    return fmt::format("{} = column sums of {}", region(b.to), region(b.from));
  }
  std::string operator()(const Signal& s) const { return fmt::format("{} += {}", counter(s.counter), s.add); }
  std::string operator()(const Wait& w) const { return fmt::format("{} >= {}", counter(w.counter), w.value); }
  std::string operator()(const Begin&) const { return "inputs readable"; }
  std::string operator()(const End&) const { return "outputs handed over"; }
};

std::string print_buffer(const Buffer& buffer) {
  constexpr const char* kinds[] = {"input", "output", "userbuffer", "workspace", "state"};
  return fmt::format("{:<10} {:<18} {:<5} elements of each rank: {}\n", kinds[static_cast<int>(buffer.kind)],
                     buffer.name, name(buffer.dtype), fmt::join(buffer.elements, " "));
}

}  // namespace

std::string_view kind_name(const PlanOp& op) {
  constexpr std::string_view names[] = {"begin",    "end",       "gemm",   "reduce",  "copy",     "transpose",
                                        "amax",     "scale",     "update", "inverse", "quantize", "quantize",
                                        "add bias", "bias grad", "signal", "wait"};
  static_assert(std::size(names) == std::variant_size_v<PlanBody>);
  return names[op.body.index()];
}

std::string title(const Plan& plan, const PlanOp& op) {
  const bool is_known = op.lane >= 0 && op.lane < std::ssize(plan.lanes);
  const std::string lane = is_known ? plan.lanes[static_cast<std::size_t>(op.lane)] : fmt::format("lane {}", op.lane);
  const std::string split = op.split < 0 ? "" : fmt::format(", split {}", op.split);
  return fmt::format("rank {}, {}: {}{}", op.rank, lane, kind_name(op), split);
}

std::string details(const Plan& plan, const PlanOp& op) { return std::visit(Details{plan}, op.body); }

std::string print(const Plan& plan) {
  std::string text;
  for (const auto& ranks : plan.groups) text += fmt::format("group of ranks {}\n", fmt::join(ranks, " "));
  for (const Buffer& buffer : plan.buffers) text += print_buffer(buffer);
  for (std::size_t index = 0; index < plan.ops.size(); ++index) {
    const PlanOp& op = plan.ops[index];
    const std::string after = op.after.empty() ? "" : fmt::format("   after {}", fmt::join(op.after, " "));
    text += fmt::format("{:>5}  {:<38} {}{}\n", index, title(plan, op), details(plan, op), after);
  }
  return text;
}

}  // namespace lockstep
