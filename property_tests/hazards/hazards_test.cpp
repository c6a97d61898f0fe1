// No schedule has a hazard, over any number of calls on the same Userbuffers, whatever the shapes and however late a
// rank is; and each kind of hazard is seen where it is put in.
#include "oracle/hazards/hazards.h"

#include "fused/plan/builder.h"
#include "oracle/campaign/draw.h"
#include "oracle/faults/edit.h"
#include "oracle/inputs/program.h"
#include "property_tests/case_generator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

std::string first_hazard(const Program& program) {
  const auto found = hazards(program, 1);
  return found.empty() ? "" : fmt::format("{}: {}", name(found[0].kind), found[0].sentence);
}

std::set<std::string_view> kinds(const Program& program) {
  std::set<std::string_view> all;
  for (const Hazard& hazard : hazards(program, 100)) all.insert(name(hazard.kind));
  return all;
}

TEST(Hazards, NoScheduleHasOne) {
  for (const Cell& cell : all_cells())
    for (const auto& [tp, tokens] : {std::pair<Index, Index>{2, 9}, {3, 7}, {5, 3}}) {
      Call call = with_cell({}, cell);
      call.tp = tp, call.tokens = tokens, call.in = 10, call.out = 11, call.splits = 3;
      Case a_case{std::vector<Call>(2, call)};
      a_case.calls[1].tokens = 4;
      EXPECT_EQ(first_hazard(repeated(correct_program(a_case))), "") << print(a_case);
    }
}

RC_GTEST_PROP(Hazards, NoRandomCaseHasOne, ()) {
  RC_ASSERT(first_hazard(repeated(correct_program(*arbitrary_case()))) == "");
}

TEST(Hazards, NightlyNoneIn10000RandomCases) {
  for (Index number = 0; number < 10'000; ++number) {
    const Case a_case = draw_case(5, number, 0, {});
    ASSERT_EQ(first_hazard(repeated(correct_program(a_case))), "") << print(a_case);
  }
}

TEST(Hazards, AggregatedRingsAndFp8WiresHaveNone) {
  for (const char* line :
       {"op=ag_gemm tp=7 tokens=20 aggregate=1 calls=4", "op=ag_gemm tp=8 tokens=20 aggregate=1 calls=4",
        "op=gemm_rs tp=6 recipe=delayed wire=fp8 method=ring_exchange calls=4",
        "op=gemm_rs tp=6 recipe=delayed wire=fp8 first_gemm=1 splits=5 calls=4",
        "op=column_linear pass=both tp=6 recipe=delayed wire=fp8 frozen=1 calls=4"})
    EXPECT_EQ(first_hazard(correct_program(parse_case(line))), "") << line;
}

Program without_waits(Program program, std::string_view counter) {
  for (Plan& plan : program.calls)
    plan = without(plan, [&](const PlanOp& op) {
      const auto* wait = std::get_if<Wait>(&op.body);
      return wait && plan.counters[static_cast<std::size_t>(wait->counter)].name == counter;
    });
  return program;
}

// Buffers are handed back by `done`: without it the next call overwrites what a peer still reads, in every schedule by
// itself. (Where a recipe brings the ranks together for an amax, gathers and reductions alternate, or an all-reduce
// ends only when all ranks have reduced, that orders enough.)
TEST(Hazards, ABufferThatIsNotHandedBackIsARace) {
  for (const Cell& cell : cells_where([](const Cell& c) {
         return c.op != Kernel::gemm_ar && c.recipe == RecipeKind::none && c.pass == Pass::forward;
       })) {
    Call call = with_cell({}, cell);
    call.tp = 3, call.tokens = 9, call.in = call.out = 10;
    EXPECT_TRUE(kinds(without_waits(correct_program({{call, call}}), "done")).contains("race")) << print(cell);
  }
}

TEST(Hazards, AWaitThatIsLeftOutIsARace) {
  for (const char* line : {"op=gemm_rs tp=3 splits=2", "op=gemm_rs tp=3 method=ring_exchange",
                           "op=gemm_rs tp=3 method=accumulate", "op=ag_gemm tp=3", "op=gemm_ar tp=3",
                           "op=column_linear tp=3 pass=backward", "op=row_linear tp=3 pass=backward recipe=mxfp8"}) {
    const Program correct = correct_program(parse_case(line));
    std::set<std::string> left_out;
    for (const Counter& counter : correct.calls[0].counters) {
      if (counter.name == "done" || counter.name.ends_with("amax") || !left_out.insert(counter.name).second) continue;
      EXPECT_TRUE(kinds(without_waits(correct, counter.name)).contains("race")) << line << " without " << counter.name;
    }
  }
}

TEST(Hazards, ARaceNamesTheSignalThatIsNotWaitedFor) {
  const Program program = correct_program(parse_case("op=gemm_rs tp=2 splits=2 tokens=4 in=4 out=4"));
  EXPECT_EQ(
      first_hazard(without_waits(program, "fprop.ready")),
      "race: call 0 operation 10 (rank 1, compute 0: gemm, split 0) writes and call 0 operation 6 (rank 0, "
      "communication: reduce, split 0) reads bytes 0..7 of fprop.panels of rank 1, and nothing orders them: after "
      "the first fprop.ready of rank 1 reaches 1, for which the second does not wait");
}

TEST(Hazards, AMissingSignalIsADeadlockAndSaysWhoWaitsForWhat) {
  Program program = correct_program(parse_case("op=gemm_rs tp=2 splits=1"));
  bool dropped = false;
  program.calls[0] = without(program.calls[0], [&](const PlanOp& op) {
    return op.rank == 1 && std::holds_alternative<Signal>(op.body) && !std::exchange(dropped, true);
  });
  const auto found = hazards(program);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(name(found[0].kind), "deadlock");
  EXPECT_NE(found[0].sentence.find("waits for fprop.ready of rank 1 to reach 1, which stays at 0"), std::string::npos)
      << found[0].sentence;
}

// One rank, from x to y by way of u; `change` spoils it.
struct Small {
  PlanBuilder plan{2};
  Index main = plan.lane("main"), side = plan.lane("side");
  Index count = plan.counter_of_each_rank("count")[0];
  Region x = matrix("x", BufferKind::input), y = matrix("y", BufferKind::output),
         u = matrix("u", BufferKind::userbuffer);

  Region matrix(const char* name, BufferKind kind) {
    return plan.matrices(name, kind, DType::f32, [](Index rank) { return Shape{rank == 0 ? 2 : 0, 2}; })[0];
  }
  template <typename Middle>
  Program with(const Middle& middle) {
    plan.add({Begin{}, 0, main});
    plan.add({Begin{}, 1, main});
    middle();
    plan.add({End{}, 0, main});
    plan.add({End{}, 1, main});
    return {{plan.plan()}};
  }
  Index copy(const Region& from, const Region& to) { return plan.add({Copy{from, to}, 0, main}); }
};

TEST(Hazards, APlanThatIsRightHasNone) {
  Small s;
  EXPECT_EQ(first_hazard(repeated(s.with([&] { s.copy(s.x, s.u), s.copy(s.u, s.y); }), 4)), "");
}

TEST(Hazards, WhatNobodyWroteIsSeenWhereItIsReadAndWhereItIsHandedOver) {
  Small read;
  EXPECT_EQ(kinds(read.with([&] { read.copy(read.u, read.y); })), std::set<std::string_view>{"no value"});
  Small half;
  EXPECT_EQ(first_hazard(half.with([&] {
              half.copy(rows_of(half.x, {0, 1}), rows_of(half.y, {0, 1}));
            })),
            "no value: call 0 operation 3 (rank 0, main: end) hands over bytes 8..8 of y of rank 0, where nothing was "
            "written");
}

TEST(Hazards, AnOperationOffTheCallersLaneIsUnjoinedOnBothSides) {
  Small s;
  const Program program = s.with([&] {
    s.copy(s.x, s.y);
    s.plan.add({Amax{s.u, cols_of(rows_of(s.u, {0, 1}), {0, 1})}, 0, s.side});
  });
  EXPECT_TRUE(kinds(program).contains("unjoined"));
}

TEST(Hazards, AnOutputThatIsWrittenAfterItsEndIsARaceWithTheCaller) {
  Small s;
  const Program program = s.with([&] { s.plan.add({Copy{s.x, s.y}, 0, s.side, -1, {0}}); });
  const auto found = kinds(program);
  EXPECT_TRUE(found.contains("race") && found.contains("unjoined"));
}

TEST(Hazards, AProductIntoItsOwnOperandIsAnAlias) {
  Small s;
  EXPECT_TRUE(kinds(s.with([&] {
                s.copy(s.x, s.y), s.copy(s.x, s.u);
                s.plan.add({Gemm{.a = {s.u}, .b = {s.x}, .d = s.u}, 0, s.main});
              })).contains("alias"));
  Small added;
  EXPECT_EQ(first_hazard(added.with([&] {
              added.copy(added.x, added.y);
              added.plan.add({Gemm{.a = {added.x}, .b = {added.x}, .c = added.y, .d = added.y}, 0, added.main});
            })),
            "");
}

TEST(Hazards, WhatAnotherRankOverwritesUnreadIsLost) {
  Small s;
  const auto middle = [&](bool is_read) {
    return s.with([&] {
      s.copy(s.x, s.u);
      if (is_read) s.copy(s.u, s.y);
      const Index signal = s.plan.add({Signal{s.count, 1}, 0, s.main});
      s.plan.add({Wait{s.count, 1}, 1, s.main, -1, {1}});
      s.plan.add({Copy{s.u, s.u}, 1, s.main});
      s.copy(s.x, s.y);
      (void)signal;
    });
  };
  const Program read = middle(true);
  EXPECT_EQ(first_hazard(read), "");
  Small other;
  const Program lost = other.with([&] {
    other.copy(other.x, other.u), other.copy(other.x, other.y);
    other.plan.add({Signal{other.count, 1}, 0, other.main});
    other.plan.add({Wait{other.count, 1}, 1, other.main, -1, {1}});
    other.plan.add({Copy{other.x, other.u}, 1, other.main});
  });
  EXPECT_TRUE(kinds(lost).contains("lost write"));
}

TEST(Hazards, ASignalThatNobodyAwaitsIsOneWhereAnotherCallFollows) {
  Small s;
  const Program program = s.with([&] { s.copy(s.x, s.y), s.plan.add({Signal{s.count, 1}, 0, s.main}); });
  EXPECT_EQ(first_hazard(program), "");
  EXPECT_EQ(first_hazard(repeated(program)),
            "unawaited: nobody waits for count of rank 0, which call 0 operation 3 (rank 0, main: signal) signals");
}

TEST(Hazards, ACounterHasOneWriter) {
  Small s;
  const Program program = s.with([&] {
    s.copy(s.x, s.y), s.plan.add({Signal{s.count, 1}, 0, s.main}), s.plan.add({Signal{s.count, 1}, 1, s.main});
    s.plan.add({Wait{s.count, 2}, 0, s.main});
  });
  EXPECT_EQ(kinds(program), std::set<std::string_view>{"two writers"});
}

TEST(Hazards, ACounterOf32BitsTurnsOver) {
  for (const auto& [bits, wraps] : {std::pair<Index, bool>{32, false}, {32, true}, {64, false}}) {
    Program program = correct_program(parse_case("op=gemm_rs tp=2"));
    for (Counter& counter : program.calls[0].counters) counter.bits = bits, counter.wraps = wraps;
    EXPECT_TRUE(kinds(program).contains("turns over")) << bits << wraps;
  }
}

TEST(Hazards, ARegionOutsideItsBufferIsMalformed) {
  Small s;
  Region far = s.y;
  far.offset = 1;
  EXPECT_EQ(kinds(s.with([&] { s.copy(s.x, far); })), std::set<std::string_view>{"malformed"});
}

}  // namespace
}  // namespace lockstep
