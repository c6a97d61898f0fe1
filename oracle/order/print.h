// A summation tree in one line, short whatever its size. Terms have labels: the k that each stands for, or a rank.
//
//   0..95: one at a time                               ((0 + 1) + 2) + ..
//   0..95: 16 at a time                                each step adds the sum so far and 16 more
//   0..95: at once                                     one node
//   2..0, 4..3: one at a time                          (((2 + 1) + 0) + 4) + 3
//   0..4095: 32 parts of 128, each 32 at a time        each part from zero; the first two are added, then the third, ..
//   0..319: 2 parts of 192 (the last 128), each ..     two have no order
//   0..383: 3 parts of 128 in an order that does not show, each ..
//   (0..15: at once) + 40 + (16..39: 8 at a time)      none of these: from the left, long ones cut in the middle;
//                                                      [a, b, c] are added at once
//
// The last step or part may be shorter.
#pragma once

#include "oracle/order/tree.h"
#include "reference/contract/partition.h"

namespace lockstep {

std::string print(const SumTree& tree, const std::vector<Range>& labels);

// Labels 0 .. n-1.
std::vector<Range> numbered(Index n);

// What a tree of terms so far apart cannot show, to stand behind it in brackets; empty for 1.
std::string resolution(Index stride);

// Row 0 of the counts, without that of term 0 itself and without repetitions: "80 64 48 32 16 0". Cut after 16.
std::string signature(const Counts& counts);

}  // namespace lockstep
