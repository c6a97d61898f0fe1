// Exact data in which a value says where it came from: forward, without FP8 recipes.
//
//   rank_bits   rank r contributes exactly 2^r to every element: a wrong value names the ranks that are missing
//   chunk_bits  block c of `in` contributes 2^c, with the sign of the row: it names the missing block of K. As many
//   blocks
//               as there are bits; the bias, on one rank of each column, is one bit more
//   address     rows of X are one-hot and no two elements of W are alike (while codes last): it names its source
//   wild        a significand of full width, its bits dealt to the ranks (one share to the bias), random exponents and
//               signs, as nccl-tests makes its sums
//
// The contributions to an element have no bit in common, so no order of summation rounds.
#pragma once

#include "oracle/inputs/inputs.h"
#include "reference/contract/problem.h"

namespace lockstep {

// Refuses what the types have no bits for.
NamedTensors rank_bits(const Problem& problem, std::uint64_t seed);
NamedTensors chunk_bits(const Problem& problem, std::uint64_t seed);
NamedTensors address(const Problem& problem, std::uint64_t seed);
NamedTensors wild(const Problem& problem, std::uint64_t seed);

}  // namespace lockstep
