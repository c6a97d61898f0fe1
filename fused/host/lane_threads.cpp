#include "fused/host/lane_threads.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr int not_yet = 0, done = 1, given_up = 2;  // of a done flag

std::vector<std::vector<std::size_t>> lanes_of(const Program& program, const Graph& graph) {
  std::map<std::pair<Index, std::string>, std::vector<std::size_t>> lanes;  // by rank and name
  for (std::size_t node = 0; node < graph.steps.size(); ++node) {
    const Plan& plan = program.calls[static_cast<std::size_t>(graph.steps[node].call)];
    const PlanOp& op = op_at(program, graph.steps[node]);
    lanes[{op.rank, plan.lanes[static_cast<std::size_t>(op.lane)]}].push_back(node);
  }
  std::vector<std::vector<std::size_t>> all;
  for (auto& [where, nodes] : lanes) all.push_back(std::move(nodes));
  return all;
}

}  // namespace

LaneThreads::LaneThreads(const Program& program)
    : program_(program),
      graph_(graph_of(program)),
      counters_(program),
      lanes_(lanes_of(program, graph_)),
      before_(graph_.steps.size()),
      done_(new std::atomic<int>[graph_.steps.size()]),
      now_(new std::atomic<std::uint64_t>[counters_.count()]),
      bells_(new std::atomic<int>[counters_.count()]) {
  for (std::size_t node = 0; node < graph_.steps.size(); ++node) {
    done_[node] = not_yet;
    for (std::size_t next : graph_.successors_of(node)) before_[next].push_back(node);
  }
  for (std::size_t id = 0; id < counters_.count(); ++id) now_[id] = program.counter_base, bells_[id] = 0;
}

bool LaneThreads::is_reached(std::size_t node) const {
  const Step& step = graph_.steps[node];
  const auto* wait = std::get_if<Wait>(&op_at(program_, step).body);
  if (!wait) return true;
  const Plan& plan = program_.calls[static_cast<std::size_t>(step.call)];
  const std::uint64_t value = now_[counters_.id(step, wait->counter)].load(std::memory_order_acquire);
  return reached(plan.counters[static_cast<std::size_t>(wait->counter)], value, counters_.wanted(step, *wait));
}

bool LaneThreads::await(std::size_t node) {
  for (std::size_t before : before_[node]) {
    done_[before].wait(not_yet, std::memory_order_acquire);
    if (done_[before].load(std::memory_order_acquire) == given_up) return false;
  }
  const Step& step = graph_.steps[node];
  const auto* wait = std::get_if<Wait>(&op_at(program_, step).body);
  while (wait) {
    std::atomic<int>& bell = bells_[counters_.id(step, wait->counter)];
    const int heard = bell.load();
    if (stopped_) return false;
    if (is_reached(node)) break;
    bell.wait(heard);
  }
  return !stopped_;
}

void LaneThreads::wake(std::atomic<int>& bell) {
  ++bell;
  bell.notify_all();
}

void LaneThreads::end(std::size_t node) {
  const Step& step = graph_.steps[node];
  if (const auto* signal = std::get_if<Signal>(&op_at(program_, step).body)) {
    const std::size_t id = counters_.id(step, signal->counter);
    now_[id].fetch_add(static_cast<std::uint64_t>(signal->add), std::memory_order_release);
    wake(bells_[id]);
  }
  // A plain store would undo what stop() has said.
  int expected = not_yet;
  done_[node].compare_exchange_strong(expected, done, std::memory_order_release, std::memory_order_relaxed);
  done_[node].notify_all();
  ++progress_;
}

void LaneThreads::stop() {
  stopped_ = true;
  for (std::size_t node = 0; node < graph_.steps.size(); ++node) {
    int expected = not_yet;
    done_[node].compare_exchange_strong(expected, given_up);
  }
  wake_all();
}

void LaneThreads::wake_all() {
  for (std::size_t node = 0; node < graph_.steps.size(); ++node) done_[node].notify_all();
  for (std::size_t id = 0; id < counters_.count(); ++id) wake(bells_[id]);
}

void LaneThreads::leave() {
  const std::lock_guard lock(guards_left_);
  ++left_;
  someone_left_.notify_all();
}

bool LaneThreads::left_within(std::chrono::milliseconds limit, Index threads) {
  std::unique_lock lock(guards_left_);
  for (Index before = -1; before != progress_.load();) {
    before = progress_.load();
    if (someone_left_.wait_for(lock, limit, [&] { return left_ == threads; })) return true;
  }
  return false;
}

bool LaneThreads::may_go_on(const std::vector<std::size_t>& lane) const {
  const auto is_done = [&](std::size_t node) { return done_[node] == done; };
  const auto next = std::ranges::find_if_not(lane, is_done);
  return next != lane.end() && is_reached(*next) && std::ranges::all_of(before_[*next], is_done);
}

bool LaneThreads::is_stuck() {
  const Index before = progress_.load();
  const bool can_go_on =
      working_.load() > 0 || std::ranges::any_of(lanes_, [&](const auto& lane) { return may_go_on(lane); });
  if (!can_go_on && working_.load() == 0 && progress_.load() == before) return true;
  wake_all();
  return false;
}

bool LaneThreads::all_ended() const {
  for (std::size_t node = 0; node < graph_.steps.size(); ++node)
    if (done_[node] != done) return false;
  return true;
}

Walked LaneThreads::hang() const {
  Counters reached_so_far = counters_;
  std::vector<bool> ended;
  for (std::size_t node = 0; node < graph_.steps.size(); ++node) {
    ended.push_back(done_[node] == done);
    const auto* signal = std::get_if<Signal>(&op_at(program_, graph_.steps[node]).body);
    if (ended.back() && signal) reached_so_far.add(graph_.steps[node], *signal);
  }
  return hang_of(program_, graph_, reached_so_far, std::move(ended));
}

}  // namespace lockstep
