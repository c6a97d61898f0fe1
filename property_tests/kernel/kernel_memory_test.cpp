// Whatever byte beside an output or of an input is written is found, and named; nothing else is.
#include "oracle/kernel/kernel_memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

using testing::HasSubstr;

struct Two {
  KernelMemory memory;
  KernelBuffer x, y;
  Tensor x_is;
};

Tensor counted(DType type, Index rows, Index cols) {
  Tensor tensor = poisoned(type, rows, cols);
  for (std::size_t i = 0; i < tensor.bytes.size(); ++i) tensor.bytes[i] = static_cast<std::byte>(i % 7);
  return tensor;
}

Two any_two() {
  const Index alignment = *rc::gen::element(Index{1}, Index{16}, Index{64});
  const DType type = *rc::gen::element(DType::f32, DType::bf16, DType::e4m3);
  const Index rows = *rc::gen::inRange(0, 6), cols = *rc::gen::inRange(0, 40);
  KernelMemory memory(alignment);
  const Tensor x = counted(type, rows, cols);
  memory.add("x", 1, 2, true, x);
  memory.add("y", 1, 2, false, poisoned(type, rows, cols));
  memory.add("z", 0, 0, true, x);
  const KernelBuffer of_x = *memory.find("x", 1, 2), of_y = *memory.find("y", 1, 2);
  return {std::move(memory), of_x, of_y, x};
}

// Counted from its first element in bytes: the row and column of the element that it belongs to.
bool is_element(const KernelBuffer& b, Index byte) {
  for (Index i = 0; i < b.rows; ++i) {
    const Index begin = b.contents + i * b.leading_dimension * bytes_of(b.dtype);
    if (byte >= begin && byte < begin + b.cols * bytes_of(b.dtype)) return true;
  }
  return false;
}

RC_GTEST_PROP(KernelMemory, EveryByteThatIsWrittenIsFound, ()) {
  const Two two = any_two();
  for (const KernelBuffer& b : {two.x, two.y}) {
    const Index byte = *rc::gen::inRange(b.begin, b.end);
    auto after = two.memory.image();
    after[static_cast<std::size_t>(byte)] ^= std::byte{0x10};
    const auto finding = two.memory.wrongly_written(after);
    RC_ASSERT(finding.has_value() == (b.is_input || !is_element(b, byte)));
    if (!finding) continue;
    RC_ASSERT(finding->starts_with(fmt::format("{} of rank 2 in call 1, {} x {}: ", b.name, b.rows, b.cols)));
    RC_ASSERT(finding->ends_with("and it is an input") == b.is_input);
  }
}

RC_GTEST_PROP(KernelMemory, RowsStandWhereTheyShould, ()) {
  const Two two = any_two();
  RC_ASSERT(KernelMemory::read(two.x, two.memory.image()) == two.x_is);
  for (const KernelBuffer& b : {two.x, two.y}) {
    RC_ASSERT(b.contents % 256 == 0 && b.contents - b.begin >= 256);
    RC_ASSERT(b.leading_dimension >= b.cols);
  }
  RC_ASSERT(!two.memory.wrongly_written(two.memory.image()));
  RC_ASSERT(two.memory.find("x", 0, 2) == nullptr);
}

TEST(KernelMemory, AlignsRowsAsItIsAsked) {
  KernelMemory memory(16);
  memory.add("x", 0, 0, true, counted(DType::bf16, 3, 5));
  EXPECT_EQ(memory.find("x", 0, 0)->leading_dimension, 8);
  KernelMemory dense(1);
  dense.add("x", 0, 0, true, counted(DType::bf16, 3, 5));
  EXPECT_EQ(dense.find("x", 0, 0)->leading_dimension, 5);
}

TEST(KernelMemory, NamesTheElement) {
  KernelMemory memory(16);
  memory.add("y", 0, 3, false, poisoned(DType::bf16, 2, 3));
  const KernelBuffer y = *memory.find("y", 0, 3);
  const auto finding = [&](Index element) {
    auto after = memory.image();
    after[static_cast<std::size_t>(y.contents + 2 * element)] = std::byte{1};
    return memory.wrongly_written(after).value_or("nothing");
  };
  EXPECT_THAT(finding(-2), HasSubstr("the element 2 before its first was written"));
  EXPECT_EQ(finding(2), "nothing");
  EXPECT_THAT(finding(4), HasSubstr("row 0 column 4, which is between its rows, was written"));
  EXPECT_EQ(finding(10), "nothing");
  EXPECT_THAT(finding(11), HasSubstr("the element 1 past its last was written"));
}

// Beside an input a NaN is read.
TEST(KernelMemory, WhatIsReadBesideAnInputIsNaN) {
  KernelMemory memory(1);
  memory.add("x", 0, 0, true, counted(DType::bf16, 2, 3));
  const KernelBuffer x = *memory.find("x", 0, 0);
  for (Index at : {x.contents - 2, x.contents + 12})
    EXPECT_TRUE(std::isnan(decode(DType::bf16, load_code(DType::bf16, &memory.image()[static_cast<std::size_t>(at)]))));
}

}  // namespace
}  // namespace lockstep
