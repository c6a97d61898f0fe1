#include "fused/host/threads.h"

#include "fused/host/lane_threads.h"
#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <exception>
#include <mutex>
#include <thread>

namespace lockstep {
namespace {

class Run {
 public:
  Run(const Program& program, const Threads& threads, const Effect& effect)
      : program_(program), threads_(threads), effect_(effect), shared_(program) {}

  Walked run() {
    {
      std::vector<std::jthread> running;
      try {
        for (const auto& lane : shared_.lanes()) running.emplace_back([this, &lane] { run_lane(lane); });
      } catch (const std::system_error&) {
        shared_.stop();
        refuse("executor=threads: this machine gives {} threads, and the program has more lanes; take a smaller tp",
               running.size());
      }
      watch(static_cast<Index>(running.size()));
    }
    if (first_) std::rethrow_exception(first_);
    return shared_.all_ended() ? Walked{} : shared_.hang();
  }

 private:
  void run_lane(const std::vector<std::size_t>& lane) {
    try {
      for (std::size_t node : lane) {
        if (!shared_.await(node)) break;
        execute(node);
      }
    } catch (...) {
      const std::lock_guard lock(guards_first_);
      if (!first_) first_ = std::current_exception();
      shared_.stop();
    }
    shared_.leave();
  }

  void execute(std::size_t node) {
    const Working working(shared_);
    const Step& step = shared_.graph().steps[node];
    const bool signals = std::holds_alternative<Signal>(op_at(program_, step).body);
    delay(threads_.seed, step, signals ? DelayPoint::before_signal : DelayPoint::before_operation);
    effect_(step);
    shared_.end(node);
  }

  // Until all threads have left, or nothing can go on.
  void watch(Index running) {
    while (!shared_.left_within(threads_.limit, running)) {
      if (!shared_.is_stuck()) continue;
      shared_.stop();
      return;
    }
  }

  const Program& program_;
  const Threads& threads_;
  const Effect& effect_;
  LaneThreads shared_;
  std::mutex guards_first_;
  std::exception_ptr first_;
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
