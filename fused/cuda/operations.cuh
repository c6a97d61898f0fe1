// What the operations of a plan do to one element, row, column or block, by the formulas of fused/plan/plan.h and
// reference/contract/recipe.h: for the device, and for the host, where they are tested. In float, one rounding an
// operation, nothing contracted unless it says fma.
//
// One that has an amax returns the magnitude that it contributes.
#pragma once

#include "fused/cuda/codes.cuh"
#include "reference/contract/recipe.h"

namespace lockstep::device {

inline constexpr float largest_float = 0x1.FFFFFEp127f;

__host__ __device__ inline float larger(float a, float b) { return b > a || a != a ? b : a; }
__host__ __device__ inline float scalar(const DeviceMatrix& m) { return load(m, 0, 0); }
// 0 of a NaN, which is never the largest.
__host__ __device__ inline float magnitude(float value) { return larger(0, value < 0 ? -value : value); }

struct CopyCode {
  DeviceMatrix from, to;
  __host__ __device__ void operator()(Index i, Index j) const {
    const Index bytes = code_bytes(to.type);
    set_code_at(to.data, bytes, i * to.ld + j, code_at(from.data, bytes, i * from.ld + j));
  }
};

struct TransposeCode {
  DeviceMatrix from, to;
  __host__ __device__ void operator()(Index i, Index j) const {
    const Index bytes = code_bytes(to.type);
    set_code_at(to.data, bytes, i * to.ld + j, code_at(from.data, bytes, j * from.ld + i));
  }
};

// Of at most `most` sources: what a kernel is given is copied at every launch.
template <int most>
struct ReduceElement {
  DeviceMatrix sources[most], scale_inv[most];
  int count = 0;
  bool scaled = false, largest = false;
  DType accumulate = DType::f32;
  DeviceMatrix d;

  __host__ __device__ void operator()(Index i, Index j) const {
    float all = 0;
    for (int s = 0; s < count; ++s) {
      float term = load(sources[s], i, j);
      if (scaled) term *= scalar(scale_inv[s]);
      all = largest ? larger(all, term) : all + term;
      if (accumulate != DType::f32) all = decode_code(accumulate, encode_value(accumulate, all));
    }
    store(d, i, j, all);
  }
};

struct AmaxElement {
  DeviceMatrix from;
  __host__ __device__ float operator()(Index i, Index j) const { return magnitude(load(from, i, j)); }
};

struct StoreScalar {
  const float* from;
  DeviceMatrix to;
  __host__ __device__ void operator()(Index, Index) const { store(to, 0, 0, *from); }
};

// Of the formats that tensors are quantised to.
__host__ __device__ constexpr float largest_of(DType format) { return format == DType::e4m3 ? 448.0f : 57344.0f; }

__host__ __device__ inline float current_scale(DType format, float amax) {
  if (amax == 0 || amax > largest_float) return 1;
  const float scale = largest_of(format) / amax;
  return scale <= largest_float ? scale : largest_float;
}

__host__ __device__ inline float power_of_two(int exponent) {  // of -126 or more
  return bits_to_float(static_cast<std::uint32_t>(exponent + 127) << 23);
}

struct ScaleFromAmaxScalar {
  DeviceMatrix amax, scale;
  DType format;
  __host__ __device__ void operator()(Index, Index) const { store(scale, 0, 0, current_scale(format, scalar(amax))); }
};

struct UpdateScaleScalar {
  DeviceMatrix amax, history, scale;
  DType format;
  bool most_recent;
  int margin;
  __host__ __device__ void operator()(Index, Index) const {
    const float newest = scalar(amax);
    for (Index j = history.cols - 1; j > 0; --j) store(history, 0, j, load(history, 0, j - 1));
    store(history, 0, 0, newest);
    float from = most_recent ? load(history, 0, 0) : 0;
    for (Index j = 0; !most_recent && j < history.cols; ++j) from = larger(from, magnitude(load(history, 0, j)));
    if (!(from > 0) || from > largest_float) return store(scale, 0, 0, scalar(scale));
    const float unbounded = largest_of(format) / from * power_of_two(-margin);
    store(scale, 0, 0, unbounded > largest_float ? largest_float : unbounded);
  }
};

struct InverseScalar {
  DeviceMatrix scale, inverse;
  __host__ __device__ void operator()(Index, Index) const { store(inverse, 0, 0, 1 / scalar(scale)); }
};

// The first element brings the inverse of the scale.
struct QuantizeElement {
  DeviceMatrix from, scale, to, scale_inv;
  __host__ __device__ void operator()(Index i, Index j) const {
    store(to, i, j, load(from, i, j) * scalar(scale));
    if (i == 0 && j == 0) store(scale_inv, 0, 0, 1 / scalar(scale));
  }
};

struct AddBiasElement {
  DeviceMatrix from, bias, to;
  __host__ __device__ void operator()(Index i, Index j) const { store(to, i, j, load(from, i, j) + load(bias, 0, j)); }
};

// Column j of one row.
struct BiasGradColumn {
  DeviceMatrix from, to;
  __host__ __device__ void operator()(Index, Index j) const {
    float sum = 0;
    for (Index i = 0; i < from.rows; ++i) sum += load(from, i, j);
    store(to, 0, j, sum);
  }
};

__host__ __device__ inline float mx_scale(float ratio) {
  const std::uint32_t bits = float_to_bits(ratio), field = bits >> 23, fraction = bits & 0x7FFFFFu;
  const int up = static_cast<int>(field) + (fraction != 0 && (field != 0 || fraction > 0x400000u));
  const int exponent = 127 - (up > 254 ? 254 : up);
  return exponent == -127 ? bits_to_float(0x00400000u) : power_of_two(exponent);
}

__host__ __device__ inline float block_scale(RecipeKind recipe, DType format, float amax) {
  if (recipe == RecipeKind::mxfp8) return mx_scale(amax / largest_of(format));
  return bits_to_float(float_to_bits(current_scale(format, amax)) & 0xFF800000u);
}

// The blocks of a length that starts anew at each of `parts` parts: block number b, as partition.h cuts them.
struct Blocks {
  Index total = 0, parts = 1, block = 1;

  struct Extent {
    Index begin, end;
  };
  __host__ __device__ Extent operator()(Index number) const {
    const Index small = total / parts, large_parts = total % parts;
    const Index blocks_large = (small + block) / block, blocks_small = (small + block - 1) / block;
    const bool large = number < large_parts * blocks_large;
    const Index after = number - large_parts * blocks_large;
    const Index part = large ? number / blocks_large : large_parts + after / blocks_small;
    const Index within = large ? number % blocks_large : after % blocks_small;
    const Index start = part * small + (part < large_parts ? part : large_parts);
    const Index size = small + (part < large_parts ? 1 : 0);
    const Index end = (within + 1) * block < size ? (within + 1) * block : size;
    return {start + within * block, start + end};
  }
};

// The block in row i and column j of the scales.
struct QuantizeBlock {
  DeviceMatrix from, to, inverse;
  bool transposed;
  RecipeKind recipe;
  Blocks rows, cols;

  __host__ __device__ float value(Index i, Index j) const { return transposed ? load(from, j, i) : load(from, i, j); }
  __host__ __device__ void operator()(Index i, Index j) const {
    const auto height = rows(i), width = cols(j);
    float largest = 0;
    for (Index r = height.begin; r < height.end; ++r)
      for (Index c = width.begin; c < width.end; ++c) largest = larger(largest, magnitude(value(r, c)));
    const float scale = block_scale(recipe, to.type, largest);
    for (Index r = height.begin; r < height.end; ++r)
      for (Index c = width.begin; c < width.end; ++c) store(to, r, c, value(r, c) * scale);
    store(inverse, i, j, 1 / scale);
  }
};

}  // namespace lockstep::device
