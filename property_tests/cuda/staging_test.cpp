// How a GEMM is laid out for the library and what becomes of its sums, against their definitions, on the host.
#include "fused/cuda/kernels.h"
#include "oracle/inputs/random.h"
#include "reference/contract/partition.h"
#include "reference/contract/tensor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

// A matrix within a larger one, all of whose elements differ.
struct Held {
  Tensor tensor;
  Index offset = 0, rows = 0, cols = 0;

  Held(DType type, Index r, Index c, Random random) : rows(r), cols(c) {
    offset = random.between(0, 5);
    Matrix values(1, offset + (r + 1) * (c + 3));
    for (float& value : values.values) value = random.normal();
    tensor = encode(type, values);
  }
  Index ld() const { return cols + 3; }
  DeviceMatrix matrix() {
    return {tensor.bytes.data() + offset * bytes_of(tensor.dtype), tensor.dtype, rows, cols, ld()};
  }
  float operator()(Index i, Index j) const { return value_at(tensor, 0, offset + i * ld() + j); }
};

TEST(Staging, PacksOperandsBlockByBlockWithZerosBetween) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const bool transposed = random.coin(), in_blocks = random.coin();
    const Index rows = random.between(0, 20), k = random.between(1, 200), parts = in_blocks ? random.between(1, 3) : 1;
    const Index block = in_blocks ? 32 : 0, pitch = in_blocks ? 128 : 0;
    const auto blocks = in_blocks ? blocks_of(k, parts, block) : std::vector<Range>{{0, k}};
    const Index wide = in_blocks ? 128 * std::ssize(blocks) : k + random.between(0, 40),
                tall = rows + random.between(0, 9);
    Held from(DType::bf16, transposed ? k : rows, transposed ? rows : k, Random(seed, 1));
    Tensor to = poisoned(DType::bf16, tall, wide);
    DevicePacking packing;
    packing.a = {from.matrix(), transposed, rows,  k,
                 parts,         block,      pitch, {to.bytes.data(), to.dtype, tall, wide, wide}};
    enqueue_packing(on_the_host, packing);
    for (Index i = 0; i < tall; ++i)
      for (Index j = 0; j < wide; ++j) {
        const Index which = in_blocks ? j / 128 : 0, within = in_blocks ? j % 128 : j;
        const Range of = blocks[static_cast<std::size_t>(which)];
        const bool is_there = i < rows && within < of.size();
        const Index at = of.begin + within;
        ASSERT_EQ(value_at(to, i, j), !is_there ? 0 : transposed ? from(at, i) : from(i, at)) << seed;
      }
  }
}

// Beyond them 1 on one side and -1 on the other: +0 times -1 added to a sum that is -0 leaves it so.
TEST(Staging, PacksScalesTurnedOrNot) {
  for (const auto& [turned, is_a] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    Held from(DType::f32, 5, 3, Random(7, turned));
    const Index rows = turned ? 4 : 8, cols = turned ? 8 : 4;
    Tensor to = poisoned(DType::f32, rows, cols);
    DevicePacking packing;
    (is_a ? packing.scale_a : packing.scale_b) = {from.matrix(), {to.bytes.data(), to.dtype, rows, cols, cols}, turned};
    enqueue_packing(on_the_host, packing);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) {
        const Index row = turned ? j : i, block = turned ? i : j;
        EXPECT_EQ(value_at(to, i, j), row < 5 && block < 3 ? from(row, block) : is_a ? -1 : 1);
      }
  }
}

TEST(Staging, TakesSumsThroughTheEpilogueStepByStep) {
  for (std::uint64_t seed = 0; seed < 128; ++seed) {
    const bool scaled = seed & 1, has_c = seed & 2, has_bias = seed & 4, to_fp8 = seed & 8, has_amax = seed & 16;
    Held acc(DType::f32, 6, 5, Random(seed, 1)), c(DType::bf16, 6, 5, Random(seed, 2)),
        bias(DType::fp16, 1, 5, Random(seed, 3)), scale_a(DType::f32, 1, 1, Random(seed, 4)),
        scale_b(DType::f32, 1, 1, Random(seed, 5)), scale_d(DType::f32, 1, 1, Random(seed, 6));
    Matrix all_tiny(1, 20);
    for (float& value : all_tiny.values) value = 0x1p-80f;
    const Tensor tiny = encode(DType::f32, all_tiny);
    if (seed & 32)  // their product is 0
      for (Held* scale : {&scale_a, &scale_b}) scale->tensor = tiny;
    Tensor d = poisoned(to_fp8 ? DType::e4m3 : DType::bf16, 6, 5), amax = poisoned(DType::f32, 1, 1);
    DeviceEpilogue e;
    e.acc = acc.matrix(), e.d = {d.bytes.data(), d.dtype, 6, 5, 5};
    if (scaled) e.scale_a = scale_a.matrix(), e.scale_b = scale_b.matrix();
    if (has_c) e.c = c.matrix();
    if (has_bias) e.bias = bias.matrix();
    if (to_fp8) e.scale_d = scale_d.matrix();
    if (has_amax) e.amax = {amax.bytes.data(), DType::f32, 1, 1, 1};
    float slot = 0, largest = 0;
    enqueue_epilogue(on_the_host, e, &slot);
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 5; ++j) {
        float v = acc(i, j);
        if (scaled) v = std::fma(v, scale_a(0, 0) * scale_b(0, 0), 0.0f);
        if (has_c) v += c(i, j);
        if (has_bias) v += bias(0, j);
        largest = std::max(largest, std::abs(v));
        ASSERT_EQ(code_at(d, i, j), encode(d.dtype, to_fp8 ? v * scale_d(0, 0) : v)) << seed;
      }
    if (has_amax) {
      EXPECT_EQ(value_at(amax, 0, 0), largest);
    }
  }
}

}  // namespace
}  // namespace lockstep
