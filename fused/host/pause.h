// How one waits who looks again and again.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace lockstep {

// The first looks follow each other at once, then pauses grow by half, so that nobody sleeps much longer than it had to
// wait. Nobody yields: on a machine with other work that gives a whole turn away, thousands of times longer than a pause.
class Pause {
 public:
  explicit Pause(std::chrono::microseconds longest) : longest_(longest) {}

  void operator()() {
    if (looks_++ < 4) return;
    std::this_thread::sleep_for(next_);
    next_ = std::min(next_ + next_ / 2, longest_);
  }

 private:
  std::chrono::microseconds longest_, next_{20};
  int looks_ = 0;
};

}  // namespace lockstep
