// Milliseconds on the device's clock from before the first of what f() enqueues on the stream until after the last.
#pragma once

#include "reference/contract/cuda/handles.h"

namespace lockstep {

template <typename F>
double milliseconds(cudaStream_t stream, const F& f) {
  static const Event begin = make_event(true), end = make_event(true);
  require(cudaEventRecord(begin.get(), stream), "timing");
  f();
  require(cudaEventRecord(end.get(), stream), "timing");
  require(cudaEventSynchronize(end.get()), "what is timed");
  return milliseconds_between(begin, end);
}

}  // namespace lockstep
