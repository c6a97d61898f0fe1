// Which bytes two regions share, and what a set of regions leaves uncovered: against every byte, one by one.
#include "oracle/hazards/byte_region.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

ByteRegion arbitrary_region() {
  const Index cols = *rc::gen::inRange<Index>(0, 5);
  return {*rc::gen::inRange<Index>(0, 20), *rc::gen::inRange<Index>(0, 5), cols,
          std::max<Index>(1, cols + *rc::gen::inRange<Index>(-2, 4))};
}

std::set<Index> bytes_of(const ByteRegion& region) {
  std::set<Index> bytes;
  for (Index i = 0; i < region.rows; ++i)
    for (Index j = 0; j < region.cols; ++j) bytes.insert(region.offset + i * region.ld + j);
  return bytes;
}

TEST(ByteRegion, KnowsRowsFromTheGapsBetweenThem) {
  const ByteRegion left{0, 3, 2, 5}, right{2, 3, 3, 5};
  EXPECT_FALSE(overlap(left, right));
  EXPECT_TRUE(overlap(left, {1, 1, 2, 5}));
  EXPECT_TRUE(overlap(left, {10, 1, 1, 1}));
  EXPECT_FALSE(overlap(left, {12, 1, 3, 1}));
  EXPECT_FALSE(overlap(left, {0, 0, 2, 5}));
}

TEST(ByteRegion, CountsInBytesAndJoinsRowsWithoutGaps) {
  const Plan plan{{{"x", BufferKind::input, DType::f32, {100}, false}}, {}, {}, 1, {}};
  EXPECT_EQ(in_bytes(plan, {0, 0, 3, 2, 5, 5}), (ByteRegion{12, 1, 40, 0}));
  EXPECT_EQ(in_bytes(plan, {0, 0, 3, 2, 5, 7}), (ByteRegion{12, 2, 20, 28}));
  EXPECT_EQ(in_bytes(plan, {0, 0, 3, 4, 5, 0}), (ByteRegion{12, 1, 20, 0}));
}

RC_GTEST_PROP(ByteRegion, OverlapIsSharingAByte, ()) {
  const ByteRegion a = arbitrary_region(), b = arbitrary_region();
  std::set<Index> of_a = bytes_of(a), of_b = bytes_of(b);
  RC_ASSERT(overlap(a, b) == std::ranges::any_of(of_a, [&](Index byte) { return of_b.contains(byte); }));
}

RC_GTEST_PROP(ByteRegion, FirstUncoveredIsTheFirstByteThatNoOtherHas, ()) {
  const ByteRegion region = arbitrary_region();
  std::vector<ByteRegion> others(*rc::gen::inRange<std::size_t>(0, 5));
  std::set<Index> covered;
  for (ByteRegion& other : others) {
    other = arbitrary_region();
    covered.merge(bytes_of(other));
  }
  std::optional<Index> first;
  for (Index byte : bytes_of(region))
    if (!first && !covered.contains(byte)) first = byte;
  RC_ASSERT(first_uncovered(region, others) == first);
}

}  // namespace
}  // namespace lockstep
