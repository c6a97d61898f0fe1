// What is enqueued on a stream, and on others that fork from it and join it again, as a graph that can be launched.
#pragma once

#include "reference/contract/cuda/handles.h"

#include <functional>

namespace lockstep {

ExecutableGraph captured(cudaStream_t root, const std::function<void()>& enqueue);

}  // namespace lockstep
