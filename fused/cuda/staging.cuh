// A GEMM laid out as cuBLASLt's Hopper kernels take it, and its sums brought to where the plan wants them: what they do
// to one element. Zeros in place of what is added change no bit of a sum.
#pragma once

#include "fused/cuda/operations.cuh"

namespace lockstep::device {

// Row i, column j of [rows, k] laid out with every block of K at a multiple of `pitch`; zero between and below.
struct PackElement {
  DeviceMatrix from;
  bool transposed;  // from is [k, rows]
  Index rows;
  Blocks k;
  Index k_blocks, pitch;
  DeviceMatrix to;

  __host__ __device__ void operator()(Index i, Index j) const {
    const Index block = j / pitch, within = j % pitch, bytes = code_bytes(to.type);
    std::uint32_t code = 0;
    if (i < rows && block < k_blocks)
      if (const auto extent = k(block); within < extent.end - extent.begin) {
        const Index at = extent.begin + within;
        code = code_at(from.data, bytes, transposed ? at * from.ld + i : i * from.ld + at);
      }
    set_code_at(to.data, bytes, i * to.ld + j, code);
  }
};

// Scales as floats, turned or not; `beyond` for blocks of zeros that fill K up: of one side -1, so that what is added
// for them is -0, which changes no sum, a -0 neither.
struct PackScale {
  DeviceMatrix from, to;
  bool turned;  // to[block, row]
  float beyond;
  __host__ __device__ void operator()(Index i, Index j) const {
    const Index row = turned ? j : i, block = turned ? i : j;
    store(to, i, j, row < from.rows && block < from.cols ? load(from, row, block) : beyond);
  }
};

// Element number j of one row that has those of all of them, one after the other.
struct PackAll {
  PackElement a, b;
  PackScale scale_a, scale_b;

  template <typename Body>
  __host__ __device__ static bool pack(const Body& body, Index& at) {
    const Index elements = body.to.rows * body.to.cols;
    if (at < elements) body(at / body.to.cols, at % body.to.cols);
    at -= elements;
    return at < 0;
  }
  __host__ __device__ void operator()(Index, Index at) const {
    pack(a, at) || pack(b, at) || pack(scale_a, at) || pack(scale_b, at);
  }
};

// v = fma(acc, scale_a * scale_b, +0) + C + bias, D = v * scale_d: what is absent has no data.
struct EpilogueElement {
  DeviceMatrix acc, scale_a, scale_b, c, bias, scale_d, d;

  __host__ __device__ float operator()(Index i, Index j) const {
    float v = load(acc, i, j);
    if (scale_a.data) v = fmaf(v, scalar(scale_a) * scalar(scale_b), 0.0f);
    if (c.data) v += load(c, i, j);
    if (bias.data) v += load(bias, 0, j);
    store(d, i, j, scale_d.data ? v * scalar(scale_d) : v);
    return magnitude(v);
  }
};

}  // namespace lockstep::device
