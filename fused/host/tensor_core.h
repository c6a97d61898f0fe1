// What a Hopper tensor core makes of a product, on the host, in doubles: written apart from the reference's model.
//
//   step   e = the largest of the exponents of c and of the products that are not zero; an exponent of a product is the
//          sum of its factors' (a subnormal factor has the format's smallest)
//          d = the exact sum of c and the products, each cut to a multiple of 2^(e - cut), towards zero; d itself is
//          cut to `kept` bits below its leading one (below 2^-126 where it is smaller)
//   FP8    32 products a step, cut = kept = 13; `promote`: every 128 of K into a float sum
//   16bit  16 products a step, cut = 25, kept = 23
//
// An infinity or a NaN among them is summed as IEEE has it.
#pragma once

#include "reference/contract/partition.h"
#include "reference/contract/tensor.h"

namespace lockstep::host {

struct CoreOperand {
  const Matrix& values;
  DType type;
};

// D = A B over the k of the range: a [m, K], b [K, n], from +0.
Matrix tensor_core_product(const CoreOperand& a, const CoreOperand& b, const Range& k, bool promote);

}  // namespace lockstep::host
