// Judges a recording that does not say all that its bits depend on, by every order known that it may have:
//
//   a GEMM   accumulators that take its operands (oracle/order/models.h), where fast_accumulate is not known, or, on 16
//            bits, split_k is not; split-K 1 to 12, where split_k is not known
//   a layer  FP8 accumulators, where fast_accumulate is not known; reductions (recorded_reduction.h), where that is
//
// Where some give every bit, the judge is declared, and the words name the plainest of them and count the others. Where
// none does, the judge is bound.
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/inputs/recorded_layer.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

RecordedVerdict judge_by_known_orders(RecordedGemm recorded);
RecordedVerdict judge_by_known_orders(const RecordedLayer& recorded);

}  // namespace lockstep
