#include "oracle/report/times.h"

#include "fused/plan/accesses.h"

#include <algorithm>
#include <limits>

namespace lockstep {
namespace {

Index cost(const PlanOp& op) {
  if (const auto* g = std::get_if<Gemm>(&op.body)) return 1 + g->d.rows * g->d.cols * g->a.k() / 4096;
  Index elements = 0;
  const Accesses accesses = accesses_of(op);
  for (const Region& region : accesses.reads) elements += region.rows * region.cols;
  return accesses.writes.empty() ? 0 : 1 + elements / 512;
}

// A node's span is written by the one thread that executes it.
class Clock {
 public:
  explicit Clock(const Graph& graph) : graph_(graph), spans_(graph.steps.size()) {
    for (Span& span : spans_) span.start = std::numeric_limits<double>::infinity();
  }

  void see(const Step& step, bool begins, double now) {
    Span& span = spans_[graph_.node_of(step)];
    if (begins) span.start = std::min(span.start, now);
    if (!begins) span.end = now, span.happened = true;
  }

  std::vector<Span> take() {
    double first = std::numeric_limits<double>::infinity();
    for (const Span& span : spans_) first = std::min(first, span.start);
    for (Span& span : spans_) span = span.happened ? Span{span.start - first, span.end - first, true} : Span{};
    return std::move(spans_);
  }

 private:
  const Graph& graph_;
  std::vector<Span> spans_;
};

void stretch_waits(const Program& program, const Graph& graph, std::vector<Span>& spans) {
  for (const auto& lane : lanes_of(program, graph))
    for (std::size_t i = 0; i < lane.size(); ++i) {
      Span& span = spans[lane[i]];
      if (span.happened && std::holds_alternative<Wait>(op_at(program, graph.steps[lane[i]]).body))
        span.start = i == 0 ? 0 : std::min(span.start, spans[lane[i - 1]].end);
    }
}

}  // namespace

Times planned_times(const Program& program, const Order& order) {
  const Graph& graph = order.graph;
  Times times{std::vector<Span>(graph.steps.size()), "units"};
  for (std::size_t node : order.sequence) {
    Span& span = times.spans[node];
    const std::size_t by = order.ended_by[node];
    const double ready = by == no_node ? span.start : std::max(span.start, times.spans[by].end);
    span.end = ready + static_cast<double>(cost(op_at(program, graph.steps[node])));
    span.happened = true;
    for (std::size_t next : graph.successors_of(node))
      times.spans[next].start = std::max(times.spans[next].start, span.end);
  }
  return times;
}

Ran ran(const Prepared& prepared, const Program& program) {
  const Graph graph = graph_of(program);
  Clock clock(graph);
  const Call& call = prepared.a_case.first();
  Observed observed = observe(program, prepared.inputs, prepared.wanted, call.executor, call.arithmetic, {},
                              [&](const Step& step, bool begins, double now) { clock.see(step, begins, now); });
  Times times{clock.take(), "microseconds"};
  if (call.executor.device == RunsOn::host) stretch_waits(program, graph, times.spans);
  return {std::move(observed), std::move(times)};
}

}  // namespace lockstep
