#include "reference/contract/partition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

RC_GTEST_PROP(Partition, CoversOnceInOrderAsEvenlyAsCanBe, ()) {
  const Index total = *rc::gen::inRange<Index>(0, 1000), parts = *rc::gen::inRange<Index>(1, 100);
  Index next = 0;
  for (const Range& range : partition(total, parts)) {
    RC_ASSERT(range.begin == next);
    RC_ASSERT(range.size() == total / parts || range.size() == total / parts + 1);
    RC_ASSERT(total % parts != 0 || range.size() == total / parts);
    next = range.end;
  }
  RC_ASSERT(next == total);
}

RC_GTEST_PROP(Partition, PartHoldingIsThePartThatContains, ()) {
  const Index total = *rc::gen::inRange<Index>(1, 1000), parts = *rc::gen::inRange<Index>(1, 100);
  const Index i = *rc::gen::inRange<Index>(0, total);
  RC_ASSERT(part(total, parts, part_holding(total, parts, i)).contains(i));
}

TEST(Partition, LargerPartsComeFirst) {
  EXPECT_EQ(partition(7, 3), (std::vector<Range>{{0, 3}, {3, 5}, {5, 7}}));
  EXPECT_EQ(partition(1, 3), (std::vector<Range>{{0, 1}, {1, 1}, {1, 1}}));
}

TEST(Partition, HoldsPast32Bits) {
  const Index total = Index{1} << 40;
  EXPECT_EQ(part(total + 1, 2, 1), (Range{total / 2 + 1, total + 1}));
}

}  // namespace
}  // namespace lockstep
