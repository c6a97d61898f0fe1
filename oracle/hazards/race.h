// A race as a sentence: both operations, the bytes, and the edge that is missing.
#pragma once

#include "oracle/hazards/order.h"
#include "oracle/hazards/shadow.h"

namespace lockstep {

// "call 0 operation 12 (rank 1, compute 0: gemm, split 2)"
std::string named(const Program& program, const Step& step);

// "bytes 64..127 of fprop.panels of rank 0"
std::string bytes_named(const Program& program, const Step& step, const Region& region, const Range& bytes);

struct Racing {
  Trace earlier, later;  // as the plans stand
};
std::string describe(const Program& program, const Order& order, const Racing& race);

}  // namespace lockstep
