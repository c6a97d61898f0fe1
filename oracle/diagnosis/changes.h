// Which operations differ between two programs of the same calls.
#pragma once

#include "fused/plan/plan.h"

#include <string>
#include <vector>

namespace lockstep {

// "call 0, rank 1, compute 0: gemm, split 2", of each operation that `changed` has and `correct` has not, or the
// reverse: by its kind, its lane, what it reads and writes, and the operations that it waits for. An operation that
// touches a buffer of another size or type,
// or a counter of other bits, is another. In the order of the plans, each once.
std::vector<std::string> changed_operations(const Program& correct, const Program& changed);

}  // namespace lockstep
