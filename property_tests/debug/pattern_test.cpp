// How wrong elements lie, in words: what the words say is true of the elements.
#include "oracle/diagnosis/pattern.h"
#include "oracle/faults/strike.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DescribePlaces, SaysRunsPeriodsAndFew) {
  EXPECT_EQ(describe_places("row", {3}), "row 3");
  EXPECT_EQ(describe_places("row", {3, 4, 5}), "rows 3..5");
  EXPECT_EQ(describe_places("row", {1, 5, 9, 13}), "every 4th row 1..13");
  EXPECT_EQ(describe_places("column", {0, 2, 4}), "every 2nd column 0..4");
  EXPECT_EQ(describe_places("row", {2, 3, 10, 11, 18, 19}), "2 rows of every 8, 2..19");
  EXPECT_EQ(describe_places("row", {1, 5, 6}), "rows 1, 5, 6");
  EXPECT_EQ(describe_places("row", {1, 2, 4, 8, 16, 32, 64}), "7 rows between 1 and 64");
  EXPECT_EQ(describe_places("row", {0, 4, 9}), "rows 0, 4, 9");
  EXPECT_EQ(describe_places("row", {0, 4, 5, 8}), "rows 0, 4, 5, 8");
}

RC_GTEST_PROP(DescribePlaces, APeriodIsSaidOnlyOfWhatRepeats, ()) {
  const Index first = *rc::gen::inRange(0, 20), period = *rc::gen::inRange(2, 20), times = *rc::gen::inRange(3, 9);
  std::set<Index> places;
  for (Index i = 0; i < times; ++i) places.insert(first + i * period);
  RC_ASSERT(describe_places("row", places).starts_with("every "));
  places.insert(first + times * period + 1);
  RC_ASSERT(!describe_places("row", places).starts_with("every "));
}

// The outputs of the case with these elements of y of its first call made wrong.
std::vector<std::string> patterns_with(const char* line, Index rank,
                                       const std::vector<std::pair<Index, Index>>& wrong) {
  const Prepared prepared = prepare(parse_case(line));
  Observed observed = observe(prepared, prepared.correct, {});
  for (const auto& [i, j] : wrong) {
    Tensor& y = observed.outputs[0]["y"][static_cast<std::size_t>(rank)];
    set_code(y, i, j, code_at(y, i, j) ^ 1);
  }
  return patterns(prepared, observed);
}

constexpr const char* line = "op=gemm_rs tp=2 tokens=16 in=8 out=16 splits=4";

TEST(Patterns, OfNothingWrongThereAreNone) { EXPECT_THAT(patterns_with(line, 0, {}), testing::IsEmpty()); }

TEST(Patterns, RowsAreThoseOfTheWholeTensor) {
  EXPECT_THAT(patterns_with(line, 1, {{2, 5}}),
              ElementsAre("call 0, y: the element of row 10, column 5; rank 1 of 2; split 1 of 4"));
}

TEST(Patterns, SayWhichSplitsAndHowMany) {
  std::vector<std::pair<Index, Index>> block;
  for (Index i = 0; i < 8; ++i)
    for (Index j = 4; j < 8; ++j) block.emplace_back(i, j);
  EXPECT_THAT(patterns_with(line, 0, block),
              ElementsAre("call 0, y: every element of rows 0..7, columns 4..7; rank 0 of 2; split 1 of 4"));
  block.pop_back();
  EXPECT_THAT(patterns_with(line, 0, block)[0], HasSubstr("31 of 32 elements of rows 0..7"));
}

TEST(Patterns, SeeTiles) {
  std::vector<std::pair<Index, Index>> tiles;
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) tiles.emplace_back(i, j), tiles.emplace_back(i + 4, j + 8);
  EXPECT_THAT(patterns_with(line, 0, tiles)[0], HasSubstr("in tiles of 4 rows and 4 columns"));
}

TEST(Patterns, NameTheGroup) {
  const auto all = patterns_with("op=gemm_rs tp=2 world=4 groups=strided tokens=4 in=4 out=4", 3, {{0, 1}});
  EXPECT_THAT(all, ElementsAre(testing::EndsWith("rank 1 of 2; split 0 of 2, of group 1")));
}

}  // namespace
}  // namespace lockstep
