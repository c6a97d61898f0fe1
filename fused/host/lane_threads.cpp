#include "fused/host/lane_threads.h"

#include "fused/host/pause.h"

#include <algorithm>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr Index has_left = -1;

}  // namespace

LaneThreads::LaneThreads(const Program& program)
    : program_(program),
      graph_(graph_of(program)),
      counters_(program),
      lanes_(lanes_of(program, graph_)),
      before_(predecessors_of(graph_)),
      done_(new std::atomic<bool>[graph_.steps.size()]),
      now_(new std::atomic<std::uint64_t>[counters_.count()]),
      turns_(new std::atomic<Index>[lanes_.size()]) {
  for (std::size_t node = 0; node < graph_.steps.size(); ++node) done_[node] = false;
  for (std::size_t id = 0; id < counters_.count(); ++id) now_[id] = program.counter_base;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) turns_[lane] = 0;
}

bool LaneThreads::may_start(std::size_t node) const {
  if (!std::ranges::all_of(before_[node], [&](auto b) { return done_[b].load(std::memory_order_acquire); }))
    return false;
  const Step& step = graph_.steps[node];
  const auto* wait = std::get_if<Wait>(&op_at(program_, step).body);
  if (!wait) return true;
  const std::uint64_t value = now_[counters_.id(step, wait->counter)].load(std::memory_order_acquire);
  return reached(counter_at(program_, step, wait->counter), value, counters_.wanted(step, *wait));
}

bool LaneThreads::await(std::size_t node) const {
  for (Pause pause(500us); !may_start(node); pause())
    if (stopped_.load(std::memory_order_relaxed)) return false;
  return !stopped_.load(std::memory_order_relaxed);
}

void LaneThreads::end(std::size_t node) {
  const Step& step = graph_.steps[node];
  if (const auto* signal = std::get_if<Signal>(&op_at(program_, step).body))
    now_[counters_.id(step, signal->counter)].fetch_add(static_cast<std::uint64_t>(signal->add),
                                                        std::memory_order_release);
  done_[node].store(true, std::memory_order_release);
}

void LaneThreads::leave(std::size_t lane) { turns_[lane] = has_left; }

std::vector<Index> LaneThreads::turns() const {
  std::vector<Index> all;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) all.push_back(turns_[lane]);
  return all;
}

bool LaneThreads::left_within(std::chrono::milliseconds limit) const {
  using Clock = std::chrono::steady_clock;
  std::vector<Index> before = turns();
  auto since = Clock::now();
  for (Pause pause(2ms); Clock::now() - since < limit; pause()) {
    std::vector<Index> now = turns();
    if (std::ranges::all_of(now, [](Index turn) { return turn == has_left; })) return true;
    if (now != before) before = std::move(now), since = Clock::now();
  }
  return false;
}

bool LaneThreads::may_go_on(const std::vector<std::size_t>& lane) const {
  const auto next = std::ranges::find_if(lane, [&](std::size_t node) { return !done_[node]; });
  return next != lane.end() && may_start(*next);
}

bool LaneThreads::is_stuck() const {
  const std::vector<Index> before = turns();
  const bool is_under_way = std::ranges::any_of(before, [](Index turn) { return turn > 0 && turn % 2 == 1; });
  const auto goes_on = [&](const auto& lane) { return may_go_on(lane); };
  return !is_under_way && std::ranges::none_of(lanes_, goes_on) && turns() == before;
}

Walked LaneThreads::walked() const {
  Counters reached_so_far = counters_;
  std::vector<bool> ended;
  for (std::size_t node = 0; node < graph_.steps.size(); ++node) {
    ended.push_back(done_[node]);
    const auto* signal = std::get_if<Signal>(&op_at(program_, graph_.steps[node]).body);
    if (ended.back() && signal) reached_so_far.add(graph_.steps[node], *signal);
  }
  if (std::ranges::find(ended, false) == ended.end()) return {};
  return hang_of(program_, graph_, reached_so_far, std::move(ended));
}

}  // namespace lockstep
