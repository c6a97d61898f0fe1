// How a kernel reads a matrix of whole numbers: a thread owns the columns of 16 bytes and walks down a panel of rows.
#pragma once

#include "oracle/judges/cuda/limb_sums.h"
#include "oracle/judges/cuda/matrix_on_device.h"
#include "oracle/judges/cuda/small_numbers.h"
#include "oracle/judges/cuda/values_of_codes.h"

namespace lockstep {

inline constexpr int warp_lanes = 32, warps = 4, threads = warp_lanes * warps, batch = 8, panel = 128;
static_assert(panel == threads && panel % batch == 0, "each thread fetches the weight of one row");
static_assert(panel <= LimbSums::most && warp_lanes * 16 <= LimbSums::most, "a sum would not fit");

template <DType type>
inline constexpr int width = static_cast<int>(16 / bytes_of(type));

template <DType type>
__device__ const std::byte* place_of(const MatrixOnDevice& m, Index row, Index col) {
  return static_cast<const std::byte*>(m.data) + (row * m.leading + col) * bytes_of(type);
}

template <DType type>
__device__ float value_in(const uint4& codes, int j) {
  constexpr int in_word = width<type> / 4, bits = 32 / in_word;
  const std::uint32_t words[4] = {codes.x, codes.y, codes.z, codes.w};
  const std::uint32_t word = words[j / in_word];
  if constexpr (type == DType::bf16)
    return std::bit_cast<float>(j % 2 == 0 ? word << 16 : word & 0xFFFF0000);
  else
    return value_of_code(type, word << (in_word - 1 - j % in_word) * bits >> (32 - bits));
}

// One code after another, those from `count` on 0.
template <DType type>
__device__ uint4 one_by_one(const std::byte* at, Index count) {
  constexpr int in_word = width<type> / 4, bits = 32 / in_word;
  std::uint32_t words[4] = {};
#pragma unroll
  for (int j = 0; j < width<type>; ++j)
    if (j < count) words[j / in_word] |= code_at(type, at + j * bytes_of(type)) << j % in_word * bits;
  return {words[0], words[1], words[2], words[3]};
}

// A batch of rows on its way. A row is asked for as soon as the one before it in its place was used; beyond the panel
// that one stays. `wide`: every row is whole words of 16 bytes, and aligned to them.
template <DType type, bool wide>
struct MatrixPanel {
  const std::byte* next;
  Index stride, cols;
  int rows;
  uint4 codes[batch] = {};

  __device__ MatrixPanel(const MatrixOnDevice& m, Index row, Index col)
      : next(place_of<type>(m, row, col)),
        stride(m.leading * bytes_of(type)),
        cols(max(m.cols - col, Index{0})),
        rows(cols == 0 ? 0 : static_cast<int>(min(Index{panel}, m.rows - row))) {
#pragma unroll
    for (int r = 0; r < batch; ++r) load(r, r);
  }
  // Of one row after another.
  __device__ void load(int place, int row) {
    if (row < rows) codes[place] = wide ? __ldcs(reinterpret_cast<const uint4*>(next)) : one_by_one<type>(next, cols);
    next += stride;
  }
};

// The numbers of a row of a panel, biased; the row a batch further on is asked for.
template <DType type, bool wide>
struct Numbers {
  std::uint32_t all[width<type>];
  SmallOnes met;

  __device__ Numbers(MatrixPanel<type, wide>& from, int place, int row, const Quanta& quanta) {
#pragma unroll
    for (int j = 0; j < width<type>; ++j) all[j] = small_number(value_in<type>(from.codes[place], j), quanta, met);
    from.load(place, row + batch);
  }
};

}  // namespace lockstep
