#include "oracle/picture/timeline.h"

#include "fused/plan/print.h"
#include "fused/plan/regions.h"
#include "oracle/campaign/draw.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "oracle/picture/picture_of.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace lockstep {
namespace {

Timeline planned(const Program& program, const Marks& marks = {}, const TimelineLimit& limit = {}) {
  const Order order = order_of(program);
  return timeline_of(program, order, planned_times(program, order), marks, limit);
}

constexpr TimelineLimit unlimited{1 << 20, 1 << 30};

RC_GTEST_PROP(PictureTimeline, ShowsEveryOperationOnceAndNoTwoAtOnceOnALane, ()) {
  const Program program = correct_program(draw_case(3, *rc::gen::inRange<Index>(0, 400), 0, {}));
  std::size_t operations = 0;
  for (const Plan& plan : program.calls) operations += plan.ops.size();
  const Timeline timeline = planned(program, {}, unlimited);
  RC_ASSERT(timeline.bars.size() == operations && timeline.operations_shown == timeline.operations);
  std::map<Index, double> free_from;
  for (const Bar& bar : timeline.bars) {
    RC_ASSERT(bar.start >= free_from[bar.lane] && bar.end >= bar.start && bar.end <= timeline.length);
    RC_ASSERT(timeline.lanes[static_cast<std::size_t>(bar.lane)].rank == bar.rank);
    free_from[bar.lane] = bar.end;
  }
}

RC_GTEST_PROP(PictureTimeline, WhatIsMarkedIsShownWhateverTheLimit, ()) {
  const Program program = correct_program(draw_case(4, *rc::gen::inRange<Index>(0, 400), 0, {}));
  const Graph graph = graph_of(program);
  const Step guilty = graph.steps[*rc::gen::inRange<std::size_t>(0, graph.steps.size())];
  const TimelineLimit limit{*rc::gen::inRange<Index>(1, 4), *rc::gen::inRange<Index>(1, 60)};
  const Timeline timeline = planned(program, {guilty, {}, {}}, limit);
  RC_ASSERT(timeline.ranks_shown <= limit.ranks && timeline.operations_shown <= limit.operations);
  Index marked = 0;
  for (const Bar& bar : timeline.bars)
    if (bar.mark == BarMark::guilty) ++marked, RC_ASSERT(bar.step == guilty);
  RC_ASSERT(marked == 1);
}

RC_GTEST_PROP(PictureTimeline, ArrowsGoFromSignalsToWaitsThatEndNoEarlier, ()) {
  const Timeline timeline =
      planned(correct_program(draw_case(6, *rc::gen::inRange<Index>(0, 400), 0, {})), {}, unlimited);
  for (const Arrow& arrow : timeline.signals) {
    RC_ASSERT(timeline.bars[arrow.from].kind == "signal" && timeline.bars[arrow.to].kind == "wait");
    RC_ASSERT(timeline.bars[arrow.from].end <= timeline.bars[arrow.to].end);
  }
}

TEST(PictureTimeline, OfAHangSaysWhatWaitsForEver) {
  Program program = correct_program(parse_case("tp=2 splits=2"));
  for (PlanOp& op : program.calls[0].ops)
    if (auto* wait = std::get_if<Wait>(&op.body)) wait->value += 1;
  const Timeline timeline = planned(program);
  Index blocked = 0;
  for (const Bar& bar : timeline.bars)
    if (bar.mark == BarMark::blocked) {
      ++blocked;
      EXPECT_EQ(bar.kind, "wait");
    }
  EXPECT_EQ(blocked, std::ssize(order_of(program).walked.blocked));
  EXPECT_GT(blocked, 0);
  EXPECT_GT(timeline.never_start, 0);
}

TEST(PictureTimeline, AWorldOf576RanksIsShownInPart) {
  const Program program = correct_program(parse_case("tp=2 world=576 tokens=4 in=4 out=4"));
  const Timeline timeline = planned(program);
  EXPECT_EQ(timeline.ranks, 576);
  EXPECT_EQ(timeline.ranks_shown, 10);
}

// The clock of what ran: all of it, a lane's operations one after the other, and whatever the plan orders in order.
RC_GTEST_PROP(PictureTimeline, WhatRanIsTimedInTheOrderOfThePlan, ()) {
  const Case a_case = draw_case(7, *rc::gen::inRange<Index>(0, 100), 0, {});
  const Program program = correct_program(a_case);
  const Times times = ran(prepare(a_case), program).times;
  const Graph graph = graph_of(program);
  for (std::size_t node = 0; node < graph.steps.size(); ++node) {
    RC_ASSERT(times.spans[node].happened && times.spans[node].start <= times.spans[node].end);
    for (std::size_t next : graph.successors_of(node)) RC_ASSERT(times.spans[node].end <= times.spans[next].end);
  }
}

TEST(PictureTimeline, FindsTheOperationThatTheExplanationNames) {
  const Case a_case = parse_case("op=gemm_rs tp=2 splits=4 tokens=8 in=8 out=16 fault=bias_not_advanced");
  const Picture picture = picture_of(a_case);
  ASSERT_FALSE(picture.guilty.empty());
  ASSERT_TRUE(picture.timeline);
  Index guilty = 0;
  for (const Bar& bar : picture.timeline->bars)
    if (bar.mark == BarMark::guilty) {
      ++guilty;
      EXPECT_EQ(bar.kind, "gemm");
      EXPECT_EQ(bar.split, 1);
    }
  EXPECT_EQ(guilty, 1);
}

TEST(PictureTimeline, OfARaceJoinsTheTwoOperations) {
  const Picture picture = picture_of(parse_case("op=gemm_rs tp=2 splits=2 fault=handback_missing"));
  ASSERT_TRUE(picture.timeline && picture.timeline->hazard);
  const Bar &a = picture.timeline->bars[picture.timeline->hazard->from],
            &b = picture.timeline->bars[picture.timeline->hazard->to];
  EXPECT_EQ(a.mark, BarMark::hazard);
  EXPECT_EQ(b.mark, BarMark::hazard);
  EXPECT_NE(a.step.call, b.step.call);
}

// Several operations of a lane may have one title: the guilty one is the one that is new.
TEST(PictureTimeline, OfOperationsWithOneTitleTheOddOneIsGuilty) {
  const Program correct = correct_program(parse_case("op=row_linear pass=both tp=2 recipe=delayed"));
  std::map<std::string, std::vector<Step>> by_title;
  for (std::size_t op = 0; op < correct.calls[0].ops.size(); ++op)
    by_title["call 0, " + title(correct.calls[0], correct.calls[0].ops[op])].push_back({0, static_cast<Index>(op)});
  Index tried = 0;
  for (const auto& [name, steps] : by_title) {
    Program changed = correct;
    PlanOp& last = changed.calls[0].ops[static_cast<std::size_t>(steps.back().op)];
    for_each_region(last.body, [](Region& region) { ++region.offset; });
    if (steps.size() < 2 || last == op_at(correct, steps.back())) continue;
    EXPECT_EQ(operation_titled(changed, correct, name), steps.back()) << name;
    ++tried;
  }
  EXPECT_GT(tried, 0);
  EXPECT_FALSE(operation_titled(correct, correct, "call 0, rank 9, nowhere: gemm"));
}

// Of the wait that is wrong first, too.
TEST(PictureTimeline, OfAHangEveryWaitThatNeverEndsLastsToTheEnd) {
  const Case a_case = parse_case("op=gemm_rs tp=4 tokens=16 fault=wait_one_too_high");
  const Picture picture = picture_of(a_case);
  const auto blocked = order_of(program_of(a_case)).walked.blocked;
  ASSERT_TRUE(picture.timeline);
  EXPECT_EQ(std::ranges::count(picture.timeline->bars, false, &Bar::ends), std::ssize(blocked));
  for (const Bar& bar : picture.timeline->bars) EXPECT_TRUE(bar.ends || bar.end == picture.timeline->length);
}

// The second round, in which the race is, did not run.
TEST(PictureTimeline, OfARaceAsItRanHasTheCallsThatRan) {
  const Case a_case = parse_case("op=gemm_rs tp=2 splits=2 fault=handback_missing");
  const Picture planned = picture_of(a_case), picture = picture_of(a_case, {.grid{}, .timeline{}, .as_it_ran = true});
  ASSERT_TRUE(planned.timeline && picture.timeline);
  EXPECT_EQ(2 * picture.timeline->operations, planned.timeline->operations);
  for (const Bar& bar : picture.timeline->bars) EXPECT_EQ(bar.step.call, 0);
}

}  // namespace
}  // namespace lockstep
