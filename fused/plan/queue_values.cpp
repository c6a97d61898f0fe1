#include "fused/plan/queue_values.h"

#include <algorithm>

namespace lockstep {
namespace {

using Written = std::vector<std::vector<std::uint64_t>>;  // of each counter: what it holds, from the first

Written write(QueueValues& values, const Program& program, const Graph& graph, const Counters& counters) {
  Written written(counters.count(), {program.counter_base});
  for (std::size_t n = 0; n < graph.steps.size(); ++n) {
    const auto* signal = std::get_if<Signal>(&op_at(program, graph.steps[n]).body);
    if (!signal) continue;
    values.counter[n] = counters.id(graph.steps[n], signal->counter);
    auto& of_counter = written[values.counter[n]];
    values.number[n] = of_counter.back() + static_cast<std::uint64_t>(signal->add);
    of_counter.push_back(values.number[n]);
  }
  return written;
}

// Where nothing lets the wait pass: more than ever is written.
std::uint64_t awaited(const Counter& counter, const std::vector<std::uint64_t>& written, std::uint64_t wanted) {
  if (counter.bits == 64 && counter.wraps) return wanted;
  const auto passes = [&](std::uint64_t value) { return reached(counter, value, wanted); };
  const auto first = std::ranges::find_if(written, passes);
  return first != written.end() ? *first : written.back() + 1;
}

}  // namespace

QueueValues queue_values(const Program& program, const Graph& graph) {
  const Counters counters(program);
  QueueValues values{std::vector<std::size_t>(graph.steps.size()), std::vector<std::uint64_t>(graph.steps.size()),
                     program.counter_base, counters.count()};
  const Written written = write(values, program, graph, counters);
  for (std::size_t n = 0; n < graph.steps.size(); ++n) {
    const Step& step = graph.steps[n];
    const auto* wait = std::get_if<Wait>(&op_at(program, step).body);
    if (!wait) continue;
    values.counter[n] = counters.id(step, wait->counter);
    values.number[n] =
        awaited(counter_at(program, step, wait->counter), written[values.counter[n]], counters.wanted(step, *wait));
  }
  return values;
}

}  // namespace lockstep
