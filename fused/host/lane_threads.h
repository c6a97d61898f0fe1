// What the threads of a program share: done flags, counters, and whether anything can still go on.
//
// Nothing else orders them, so that a thread sanitizer sees what the plan leaves unordered: no lock, no common atomic,
// and who waits looks again after a pause rather than being woken (a wake-up is an order, too).
#pragma once

#include "fused/host/walk.h"

#include <atomic>
#include <chrono>
#include <memory>

namespace lockstep {

class LaneThreads {
 public:
  explicit LaneThreads(const Program& program);

  const Graph& graph() const { return graph_; }
  // The nodes of each lane of each rank, over all calls, in order. Lanes of one name are one lane.
  const std::vector<std::vector<std::size_t>>& lanes() const { return lanes_; }

  // Until the operation may start; false where all are to stop.
  bool await(std::size_t node) const;
  // It has ended: its counter, if it is a signal, then its done flag.
  void end(std::size_t node);
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  // The thread of the lane does no more.
  void leave(std::size_t lane);

  // Whether all threads have left; waits as long as operations begin and end, and no longer than `limit` without.
  bool left_within(std::chrono::milliseconds limit) const;
  // Nothing is under way and no operation may start. Exact: looked up while nothing began or ended.
  bool is_stuck() const;

  Walked walked() const;

 private:
  friend class Working;
  bool may_start(std::size_t node) const;
  bool may_go_on(const std::vector<std::size_t>& lane) const;
  std::vector<Index> turns() const;

  const Program& program_;
  Graph graph_;
  Counters counters_;  // of names and bases; the values are below
  std::vector<std::vector<std::size_t>> lanes_;
  std::vector<std::vector<std::size_t>> before_;       // of each node its predecessors
  std::unique_ptr<std::atomic<bool>[]> done_;          // of each node
  std::unique_ptr<std::atomic<std::uint64_t>[]> now_;  // of each counter: its value
  // Of each lane: odd while an operation is under way, one more when it has ended, less than 0 when its thread has
  // left. Written by that thread, read by the watch alone.
  std::unique_ptr<std::atomic<Index>[]> turns_;
  std::atomic<bool> stopped_ = false;
};

// While it lives, an operation of the lane is under way.
class Working {
 public:
  Working(LaneThreads& shared, std::size_t lane) : turn_(shared.turns_[lane]) { ++turn_; }
  ~Working() { ++turn_; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  std::atomic<Index>& turn_;
};

}  // namespace lockstep
