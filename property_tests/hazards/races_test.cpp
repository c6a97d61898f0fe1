// No schedule has a race, over several calls on the same Userbuffers, whatever the shapes and however late a rank is;
// and the check sees one that is put in.
#include "oracle/hazards/races.h"

#include "fused/plan/builder.h"
#include "oracle/faults/edit.h"
#include "oracle/inputs/program.h"
#include "property_tests/case_generator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

std::string first_race(const Program& program) {
  const auto found = races(program, 1);
  return found.empty() ? "" : describe(program, found[0]);
}

// Each cell at a few shapes, three calls each.
TEST(Races, NoScheduleHasOne) {
  for (const Cell& cell : all_cells())
    for (const auto& [tp, tokens] : {std::pair<Index, Index>{2, 9}, {3, 7}, {5, 3}}) {
      Call call = with_cell({}, cell);
      call.tp = tp, call.tokens = tokens, call.in = 10, call.out = 11, call.splits = 3;
      Case a_case{std::vector<Call>(3, call)};
      a_case.calls[1].tokens = 4;
      EXPECT_EQ(first_race(correct_program(a_case)), "") << print(a_case);
    }
}

RC_GTEST_PROP(Races, NoRandomCaseHasOne, ()) {
  const Case a_case = *arbitrary_case();
  RC_ASSERT(first_race(correct_program(a_case)) == "");
}

TEST(Races, AggregatedRingsAndFp8WiresHaveNone) {
  for (const char* line :
       {"op=ag_gemm tp=7 tokens=20 aggregate=1 calls=4", "op=ag_gemm tp=8 tokens=20 aggregate=1 calls=4",
        "op=gemm_rs tp=6 recipe=delayed wire=fp8 method=ring_exchange calls=4",
        "op=gemm_rs tp=6 recipe=delayed wire=fp8 first_gemm=1 splits=5 calls=4",
        "op=column_linear pass=both tp=6 recipe=delayed wire=fp8 frozen=1 calls=4"})
    EXPECT_EQ(first_race(correct_program(parse_case(line))), "") << line;
}

// Two copies on a lane of their own that End does not wait for.
Plan unjoined() {
  PlanBuilder plan(1);
  const Index main = plan.lane("main"), side = plan.lane("side");
  const Region y = plan.matrices("y", BufferKind::userbuffer, DType::f32, [](Index) { return Shape{1, 1}; })[0];
  const Index begin = plan.add({Begin{}, 0, main});
  plan.add({Copy{y, y}, 0, side, -1, {begin}});
  plan.add({Copy{y, y}, 0, side});
  plan.add({End{}, 0, main});
  return plan.take();
}

TEST(HappensBefore, OrdersCallsByEndAndBeginAlone) {
  const HappensBefore order({{unjoined(), unjoined()}});
  EXPECT_TRUE(order.before(0, 4));   // Begin, Begin
  EXPECT_TRUE(order.before(1, 2));   // the copies of a call
  EXPECT_FALSE(order.before(1, 6));  // those of two calls, though on a lane of one name
  // Each of four pairs reads what the other writes, twice, and writes what it writes.
  EXPECT_EQ(races({{unjoined(), unjoined()}}, 100).size(), 12u);
}

// On a device an operation that nothing joins is a stream that is never joined: End comes after all of its rank's
// operations by edges alone, without the help of a peer's signal.
void expect_joined(const Case& a_case) {
  const Plan plan = correct_program(a_case).calls[0];
  const Graph graph = graph_of({{plan}});
  std::vector<bool> before_end(plan.ops.size(), false);
  for (std::size_t op = plan.ops.size(); op-- > 0;) {
    before_end[op] = std::holds_alternative<End>(plan.ops[op].body);
    for (std::size_t next : graph.successors_of(op)) before_end[op] = before_end[op] || before_end[next];
    EXPECT_TRUE(before_end[op]) << "operation " << op << " of " << print(a_case);
  }
}

TEST(Joins, EveryOperationIsJoinedByItsEnd) {
  for (const Cell& cell : all_cells())
    for (Index tp : {2, 3, 4, 5}) {
      Call call = with_cell({}, cell);
      call.tp = tp, call.tokens = 9, call.in = call.out = 10;
      expect_joined({{call}});
    }
}

// Buffers are handed back by `done`: without it the next call overwrites what a peer still reads, in every schedule by
// itself. (Where a recipe brings the ranks together for an amax, or gathers and reductions alternate, that orders
// enough.)
TEST(Races, ABufferThatIsNotHandedBackIsOne) {
  for (const Cell& cell :
       cells_where([](const Cell& c) { return c.recipe == RecipeKind::none && c.pass == Pass::forward; })) {
    Call call = with_cell({}, cell);
    call.tp = 3, call.tokens = 9, call.in = call.out = 10;
    Program program = correct_program({{call, call}});
    for (Plan& plan : program.calls)
      plan = without(plan, [&](const PlanOp& op) {
        const auto* wait = std::get_if<Wait>(&op.body);
        return wait && plan.counters[static_cast<std::size_t>(wait->counter)].name == "done";
      });
    EXPECT_NE(first_race(program), "") << print(cell);
  }
}

TEST(Races, AWaitThatIsLeftOutIsOne) {
  for (const char* line : {"op=gemm_rs tp=3 splits=2", "op=gemm_rs tp=3 method=ring_exchange",
                           "op=gemm_rs tp=3 method=accumulate", "op=ag_gemm tp=3", "op=gemm_ar tp=3",
                           "op=column_linear tp=3 pass=backward", "op=row_linear tp=3 pass=backward recipe=mxfp8"}) {
    const Program correct = correct_program(parse_case(line));
    std::set<std::string> left_out;
    for (const Counter& counter : correct.calls[0].counters) {
      if (counter.name == "done" || counter.name.ends_with("amax") || !left_out.insert(counter.name).second) continue;
      Program program = correct;
      program.calls[0] = without(correct.calls[0], [&](const PlanOp& op) {
        const auto* wait = std::get_if<Wait>(&op.body);
        return wait && correct.calls[0].counters[static_cast<std::size_t>(wait->counter)].name == counter.name;
      });
      EXPECT_NE(first_race(program), "") << line << " without the waits for " << counter.name;
    }
  }
}

TEST(Overlap, KnowsRowsFromTheGapsBetweenThem) {
  const Region left{0, 0, 0, 3, 2, 5}, right{0, 0, 2, 3, 3, 5};
  EXPECT_FALSE(overlap(left, right));
  EXPECT_TRUE(overlap(left, {0, 0, 1, 1, 2, 5}));
  EXPECT_TRUE(overlap(left, {0, 0, 10, 1, 1, 1}));
  EXPECT_FALSE(overlap(left, {0, 0, 12, 1, 3, 1}));
  EXPECT_FALSE(overlap(left, {0, 0, 0, 0, 2, 5}));
}

// Against every element, one by one.
RC_GTEST_PROP(Overlap, IsSharingAnElement, ()) {
  const auto region = [] {
    const Index cols = *rc::gen::inRange<Index>(0, 5);
    return Region{0,
                  0,
                  *rc::gen::inRange<Index>(0, 20),
                  *rc::gen::inRange<Index>(0, 5),
                  cols,
                  cols + *rc::gen::inRange<Index>(0, 4)};
  };
  const Region a = region(), b = region();
  std::set<Index> elements;
  bool shared = false;
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) elements.insert(a.offset + i * a.ld + j);
  for (Index i = 0; i < b.rows; ++i)
    for (Index j = 0; j < b.cols; ++j) shared |= elements.contains(b.offset + i * b.ld + j);
  RC_ASSERT(overlap(a, b) == shared);
}

}  // namespace
}  // namespace lockstep
