// A random grouping of the indices over which a GEMM contracts, with a pair of signs for each index such that their
// products nearly cancel within a group:
//
//   sum over the members of a group of left * right  is  +-1, or +-2 where the group's size is even
//
// and right alone nearly cancels over any run of a group's members. So a sum over the contraction is at most twice the
// number of groups times the largest factors, whatever its length, and still every index counts.
#pragma once

#include "oracle/inputs/random.h"
#include "reference/contract/partition.h"

#include <vector>

namespace lockstep {

struct Grouping {
  std::vector<Index> group;        // of each index
  std::vector<float> left, right;  // of each index
  Index groups = 0;
};

// The shards are grouped apart, each in at most `groups_a_shard`; 0: every index is a group of its own.
Grouping grouping_of(const std::vector<Range>& shards, Index groups_a_shard, Random random);

// The largest, over the shards, of the sum over its groups of |sum of left * right|.
Index largest_sum_of_signs(const Grouping& grouping, const std::vector<Range>& shards);

}  // namespace lockstep
