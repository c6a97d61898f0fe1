// The operands that make a GEMM tell in which order it sums, from its output alone. With terms t_0 < t_1 < .. of K:
//
//   input  [n, K]   one at every term, but mask at t_i in row i      zero between the terms
//   weight [n, K]   one at every term, but -mask at t_j in row j
//   output [n, n]   one^2 times the number of terms that meet neither mask before the masks meet each other (tree.h)
//
// for the mask swallows every term that it meets, and with its negative leaves nothing. So it must be large: a product
// mask * one loses all other terms together, in float or in the coarser sum of a tensor core.
//
//   type          one     mask    mask / one   terms    why
//
//   f32, bf16     1       2^60    2^60         512
//
//   fp16          2^-24   2^15    2^39         512      the widest it has: a float sum needs 2^25 times the terms
//
//   e5m2          2^-16   2^15    2^31         64       as fp16; a float sum takes no more terms than that
//
//   e4m3          2^-9    2^8     2^17         128      never enough for a float sum: there the order is hidden; a
//                                                       tensor core of 13 fraction bits takes no more terms than that
//
// With more K than terms, every stride-th k is a term, the stride a power of two: steps shorter than it do not show.
// The idea is that of FPRev (USENIX ATC 2025).
#pragma once

#include "oracle/order/tree.h"
#include "reference/contract/partition.h"

#include <optional>

namespace lockstep {

struct Masks {
  float one = 1;
  float mask = 1;
  bool operator==(const Masks&) const = default;
};

struct Probe {
  Tensor input, weight;
  Index k = 0;
  std::vector<Range> terms;  // each the k from one term to the next
  Masks input_masks, weight_masks;

  // What one term adds to the output.
  float unit() const { return input_masks.one * weight_masks.one; }
  Index stride() const { return terms.front().size(); }
  bool operator==(const Probe&) const = default;
};

// Refuses e8m0.
Masks masks_for(DType type);
Index most_terms(DType type);

// The least power of two that leaves no more terms than `most`.
Index stride_for(Index k, Index most);
std::vector<Range> terms_of(Index k, Index stride);

inline constexpr Index max_probe_k = Index{1} << 17;

// Refuses a K below 2 or above max_probe_k.
Probe make_probe(DType type, Index k);
// With other masks and stride.
Probe make_probe(DType type, Index k, const Masks& masks, Index stride);

// The probe that these operands are, with whatever terms and masks; none: they are no probe's.
std::optional<Probe> probe_in(const Tensor& input, const Tensor& weight);

}  // namespace lockstep
