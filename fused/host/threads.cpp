#include "fused/host/threads.h"

#include "fused/host/lane_threads.h"
#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <exception>
#include <thread>

namespace lockstep {
namespace {

class Run {
 public:
  Run(const Program& program, const Threads& threads, const Effect& effect)
      : program_(program), threads_(threads), effect_(effect), shared_(program), thrown_(shared_.lanes().size()) {}

  Walked run() {
    run_all_lanes();
    for (const std::exception_ptr& thrown : thrown_)
      if (thrown) std::rethrow_exception(thrown);
    return shared_.walked();
  }

 private:
  void run_all_lanes() {
    std::vector<std::jthread> running;
    try {
      for (std::size_t lane = 0; lane < shared_.lanes().size(); ++lane)
        running.emplace_back([this, lane] { run_lane(lane); });
    } catch (const std::system_error&) {
      shared_.stop();
      refuse("executor=threads: the program has {} lanes and this machine gives {} threads; take a smaller tp",
             shared_.lanes().size(), running.size());
    }
    while (!shared_.left_within(threads_.limit) && !shared_.is_stuck()) continue;
    shared_.stop();
  }

  void run_lane(std::size_t lane) {
    try {
      for (std::size_t node : shared_.lanes()[lane]) {
        if (!shared_.await(node)) break;
        execute(node, lane);
      }
    } catch (...) {
      thrown_[lane] = std::current_exception();
      shared_.stop();
    }
    shared_.leave(lane);
  }

  void execute(std::size_t node, std::size_t lane) {
    const Working working(shared_, lane);
    const Step& step = shared_.graph().steps[node];
    const bool signals = std::holds_alternative<Signal>(op_at(program_, step).body);
    delay(threads_.seed, step, signals ? DelayPoint::before_signal : DelayPoint::before_operation);
    effect_(step);
    shared_.end(node);
  }

  const Program& program_;
  const Threads& threads_;
  const Effect& effect_;
  LaneThreads shared_;
  std::vector<std::exception_ptr> thrown_;  // of each lane
};

}  // namespace

void delay(std::uint64_t seed, const Step& step, DelayPoint point, std::uint64_t part) {
  const std::uint64_t drawn = mix(seed, step.call, step.op, static_cast<std::uint64_t>(point), part);
  if (drawn % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds((drawn >> 8) % 64 + 1));
  if (drawn % 8 == 1) std::this_thread::yield();
}

Walked walk_in_threads(const Program& program, const Threads& threads, const Effect& effect) {
  return Run(program, threads, effect).run();
}

}  // namespace lockstep
