// The orders that a recording may have which does not say all that its bits depend on:
//
//   a GEMM   accumulators that take its operands (oracle/order/models.h), where fast_accumulate is not known, or, on 16
//            bits, split_k is not; split-K 1 to 12, where split_k is not known
//   a layer  accumulators, where fast_accumulate is not known or the machine is not; reductions (recorded_reduction.h),
//            where that is not
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/inputs/recorded_layer.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/pieces.h"

namespace lockstep {

struct KnownOrder {
  Accumulator accumulator;
  Index split_k = 1;                              // of a GEMM
  RecordedReduction reduction = plain_reduction;  // of a layer
};
using KnownOrders = std::vector<KnownOrder>;

// The plainest first.
KnownOrders known_orders(const RecordedGemm& recorded);
KnownOrders known_orders(const RecordedLayer& recorded);

// Of these orders, those that give every bit.
KnownOrders those_that_give(const RecordedGemm& recorded, const KnownOrders& orders);
KnownOrders those_that_give(const RecordedLayer& recorded, const KnownOrders& orders);

std::string describe(const RecordedGemm& recorded, const KnownOrder& order);
std::string describe(const RecordedLayer& recorded, const KnownOrder& order);

}  // namespace lockstep
