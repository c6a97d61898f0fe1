#include "oracle/hazards/hang.h"

#include "fused/plan/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

std::string name_of(const Program& program, const Step& step) {
  return fmt::format("call {}, {}", step.call, title(plan_at(program, step), op_at(program, step)));
}

std::string wait_of(const Program& program, const Blocked& b) {
  const Counter& counter = counter_at(program, b.step, b.counter);
  return fmt::format("{}: waits for {} of rank {} to reach {}, which stays at {}", name_of(program, b.step),
                     counter.name, counter.rank, b.want, b.have);
}

// Items joined, the first of them only where there are many.
std::string bounded(const std::vector<std::string>& items, std::string_view between) {
  const auto shown = std::min(items.size(), most_of_a_hang);
  return fmt::format("{}{}", fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(shown), between),
                     shown == items.size() ? "" : fmt::format("{}and {} more", between, items.size() - shown));
}

class Stuck {
 public:
  Stuck(const Program& program, const Walked& walked)
      : program_(program), walked_(walked), graph_(graph_of(program)), counters_(program) {
    before_.resize(graph_.steps.size());
    for (std::size_t node = 0; node < graph_.steps.size(); ++node)
      for (std::size_t next : graph_.successors_of(node)) before_[next].push_back(node);
  }

  // From the first wait to what it waits for, and so on.
  std::string chain() {
    std::vector<std::string> links;
    std::vector<std::size_t> seen;
    const Blocked* wait = walked_.blocked.empty() ? nullptr : &walked_.blocked.front();
    while (wait) {
      const std::size_t node = graph_.node_of(wait->step);
      const auto again = std::ranges::find(seen, node);
      if (again != seen.end()) return bounded(links, "; ") + circle(seen.end() - again, *again);
      seen.push_back(node);
      told_.insert(node);
      links.push_back(wait_of(program_, *wait));
      wait = behind(*wait, links.back());
    }
    return bounded(links, "; ");
  }

  std::string other_waits() const {
    std::vector<std::string> others;
    for (const Blocked& wait : walked_.blocked)
      if (!told_.contains(graph_.node_of(wait.step))) others.push_back(wait_of(program_, wait));
    return others.empty() ? "" : fmt::format("; {} more waits: {}", others.size(), bounded(others, "; "));
  }

 private:
  std::string circle(std::ptrdiff_t waits, std::size_t first) const {
    return fmt::format("; that is where the chain began to repeat: a circle of {} wait{}, from {} back to itself",
                       waits, waits == 1 ? "" : "s", name_of(program_, graph_.steps[first]));
  }

  // The wait that keeps the next signal of the counter from happening; adds to `link` what stands there.
  const Blocked* behind(const Blocked& wait, std::string& link) const {
    const auto signal = next_signal(wait);
    if (!signal) {
      link += ", and no signal of it is left";
      return nullptr;
    }
    const std::size_t root = root_of(*signal);
    link += fmt::format(", its next signal is {}", name_of(program_, graph_.steps[*signal]));
    if (root != *signal) link += fmt::format(", whose way is barred by {}", name_of(program_, graph_.steps[root]));
    const auto found =
        std::ranges::find_if(walked_.blocked, [&](const Blocked& b) { return graph_.node_of(b.step) == root; });
    return found == walked_.blocked.end() ? nullptr : &*found;
  }

  // The first of the counter's signals, in the order of calls, that has not happened.
  std::optional<std::size_t> next_signal(const Blocked& wait) const {
    const std::size_t id = counters_.id(wait.step, wait.counter);
    for (std::size_t node = 0; node < graph_.steps.size(); ++node) {
      const auto* signal = std::get_if<Signal>(&op_at(program_, graph_.steps[node]).body);
      if (signal && !walked_.ended[node] && counters_.id(graph_.steps[node], signal->counter) == id) return node;
    }
    return {};
  }

  // Backwards along what has not ended, to what is not kept by an edge.
  std::size_t root_of(std::size_t node) const {
    for (;;) {
      const auto before = std::ranges::find_if(before_[node], [&](std::size_t b) { return !walked_.ended[b]; });
      if (before == before_[node].end()) return node;
      node = *before;
    }
  }

  const Program& program_;
  const Walked& walked_;
  Graph graph_;
  Counters counters_;
  std::vector<std::vector<std::size_t>> before_;  // of each node its predecessors
  std::set<std::size_t> told_;                    // waits of the chain
};

// "0..3, 7"
std::string ranges_of(const std::vector<Index>& ranks) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0, end = 0; i < ranks.size(); i = end) {
    for (end = i + 1; end < ranks.size() && ranks[end] == ranks[end - 1] + 1;) ++end;
    ranges.push_back(end == i + 1 ? fmt::format("{}", ranks[i]) : fmt::format("{}..{}", ranks[i], ranks[end - 1]));
  }
  return fmt::format("{}{}", ranks.size() == 1 ? "rank " : "ranks ", bounded(ranges, ", "));
}

// Counters of one name and value together; those that are waited for first.
std::string counters_of(const Program& program, const Walked& walked) {
  std::set<std::pair<std::string, Index>> awaited;
  for (const Blocked& b : walked.blocked) {
    const Counter& counter = counter_at(program, b.step, b.counter);
    awaited.emplace(counter.name, counter.rank);
  }
  std::map<std::tuple<bool, std::string, std::uint64_t>, std::vector<Index>> alike;
  for (const CounterState& state : walked.counters)
    alike[{!awaited.contains({state.name, state.rank}), state.name, state.value}].push_back(state.rank);
  std::vector<std::string> all;
  for (const auto& [what, ranks] : alike)
    all.push_back(fmt::format("{} = {} of {}{}", std::get<1>(what), std::get<2>(what), ranges_of(ranks),
                              std::get<0>(what) ? "" : " (waited for)"));
  return bounded(all, ", ");
}

}  // namespace

std::string describe_hang(const Program& program, const Walked& walked) {
  Stuck stuck(program, walked);
  const std::string chain = stuck.chain();
  return fmt::format("the program hangs: {}; counters: {}{}", chain, counters_of(program, walked), stuck.other_waits());
}

}  // namespace lockstep
