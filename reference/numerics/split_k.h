// Split-K: K is cut into tiles, each split takes ceil(tiles / splits) consecutive tiles (the last ones fewer or none),
// and the float results of the splits are added in their order, in float, to nearest even.
//
// Source: recorded outputs of cuBLASLt 13.1 on an H200, CUBLASLT_ALGO_CONFIG_SPLITK_NUM up to 12, reduction scheme 2.
#pragma once

#include "reference/numerics/sums.h"

namespace lockstep {

// Elements of K in a tile: 128 bytes of a row.
constexpr Index split_k_tile(DType type) { return 128 / bytes_of(type); }

std::vector<Range> split_k_ranges(Index k, Index splits, Index tile);

Matrix split_k_sums(const Accumulator& accumulator, const Factor& a, const Factor& b, const std::vector<Range>& ranges);

}  // namespace lockstep
