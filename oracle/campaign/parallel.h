// f(0), f(1), .. f(n - 1) on at most `threads` threads, in any order. The first exception thrown comes out.
#pragma once

#include "reference/contract/dtype.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lockstep {

template <typename F>
void parallel_for(Index n, Index threads, const F& f) {
  std::atomic<Index> next{0};
  std::exception_ptr first;
  std::mutex guards_first;
  const auto work = [&] {
    for (Index i = next++; i < n; i = next++) try {
        f(i);
      } catch (...) {
        const std::lock_guard lock(guards_first);
        if (!first) first = std::current_exception();
        next = n;
      }
  };
  {
    std::vector<std::jthread> others;
    for (Index t = 1; t < std::min(threads, n); ++t) others.emplace_back(work);
    work();
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace lockstep
