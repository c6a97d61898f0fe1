// What the threads of a program share: done flags, counters, and whether anything can still go on.
#pragma once

#include "fused/plan/counters.h"

#include "fused/host/walk.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace lockstep {

class LaneThreads {
 public:
  explicit LaneThreads(const Program& program);

  const Graph& graph() const { return graph_; }
  // The nodes of each lane of each rank, over all calls, in order. Lanes of one name are one lane.
  const std::vector<std::vector<std::size_t>>& lanes() const { return lanes_; }

  // Sleeps until the operation may start; false where all are to stop.
  bool await(std::size_t node);
  // It has ended: its counter, if it is a signal, then its done flag.
  void end(std::size_t node);
  void stop();

  // A thread leaves, its last act.
  void leave();
  // Whether all of them have, waiting as long as operations end, and no longer than `limit` without.
  bool left_within(std::chrono::milliseconds limit, Index threads);
  // Nothing is under way and no operation may start. Exact: a snapshot that no thread has disturbed. Where the answer
  // is no all sleepers are woken, so that no lost wake-up keeps one asleep.
  bool is_stuck();

  bool all_ended() const;
  Walked hang() const;

 private:
  friend class Working;
  bool may_go_on(const std::vector<std::size_t>& lane) const;
  bool is_reached(std::size_t node) const;
  void wake(std::atomic<int>& bell);
  void wake_all();

  const Program& program_;
  Graph graph_;
  Counters counters_;  // of names and bases; the values are below
  std::vector<std::vector<std::size_t>> lanes_;
  std::vector<std::vector<std::size_t>> before_;       // of each node its predecessors
  std::unique_ptr<std::atomic<int>[]> done_;           // of each node
  std::unique_ptr<std::atomic<std::uint64_t>[]> now_;  // of each counter: its value
  std::unique_ptr<std::atomic<int>[]> bells_;          // of each counter: rung when it grows
  std::atomic<bool> stopped_ = false;
  std::atomic<Index> working_ = 0, progress_ = 0;

  std::mutex guards_left_;
  std::condition_variable someone_left_;
  Index left_ = 0;
};

// While it lives, an operation is under way.
class Working {
 public:
  explicit Working(LaneThreads& shared) : shared_(shared) { ++shared_.working_; }
  ~Working() { --shared_.working_; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  LaneThreads& shared_;
};

}  // namespace lockstep
