// One rank's view of a program does on that rank what the whole program does, when what the others send lies ready.
#include "fused/plan/view.h"

#include "fused/host/execute.h"
#include "fused/plan/malformed.h"
#include "oracle/campaign/draw.h"
#include "oracle/inputs/inputs.h"
#include "oracle/inputs/program.h"
#include "property_tests/program_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

Memory executed(const Case& a_case, const Program& program) {
  Memory memory = memory_of(a_case, program);
  EXPECT_TRUE(execute(program, first_in_order(), memory).finished);
  return memory;
}

// Everything of the others as it was at the end, of the rank itself its inputs and what it starts with.
Memory ready_for(const Program& view, Index rank, const Memory& whole, const Case& a_case) {
  Memory memory(view);
  const auto& buffers = view.calls[0].buffers;
  for (Index b = 0; b < std::ssize(buffers); ++b)
    for (Index other = 0; other < view.calls[0].ranks; ++other) {
      const auto to = memory.bytes(0, b, other);
      if (other != rank) std::ranges::copy(whole.bytes(0, b, other).first(to.size()), to.begin());
    }
  const auto inputs = make_inputs(a_case);
  for (const auto& [name, ranks] : inputs[0]) memory.write(0, name, rank, ranks[static_cast<std::size_t>(rank)].bytes);
  return memory;
}

TEST(View, DoesWhatTheRankDoesInTheWhole) {
  Index compared = 0;
  for (Index number = 0; number < 150; ++number) {
    Case a_case = draw_case(5, number, 0, {});
    a_case.calls.resize(1);
    const Index tp = a_case.first().tp, rank = number % tp;
    // Under delayed scaling the others' scales are no longer what they were when they sent.
    const bool moves_on = a_case.first().recipe.kind == RecipeKind::delayed;
    if (tp == 1 || tp > 9 || a_case.first().data == Data::specials || moves_on) continue;
    SCOPED_TRACE(print(a_case));
    const Program whole = correct_program(a_case), view = view_of(whole, rank);
    ASSERT_EQ(malformed(view), std::nullopt);
    ASSERT_FALSE(hangs(view));
    const Memory want = executed(a_case, whole);
    Memory got = ready_for(view, rank, want, a_case);
    ASSERT_TRUE(execute(view, first_in_order(), got).finished);
    const auto& buffers = view.calls[0].buffers;
    for (Index b = 0; b < std::ssize(buffers); ++b) {
      if (buffers[static_cast<std::size_t>(b)].kind != BufferKind::output) continue;
      EXPECT_TRUE(std::ranges::equal(got.bytes(0, b, rank), want.bytes(0, b, rank)))
          << buffers[static_cast<std::size_t>(b)].name << " of rank " << rank << ": " << got.bytes(0, b, rank).size()
          << ", " << want.bytes(0, b, rank).size();
      compared += std::ssize(got.bytes(0, b, rank));
    }
  }
  EXPECT_GT(compared, 50'000);
}

TEST(View, FetchesWhatTheOthersSendInTheOrderOfTheSteps) {
  const Program view =
      view_of(correct_program(parse_case("op=gemm_rs method=ring_exchange tp=4 tokens=8 in=4 out=8")), 1);
  const Plan& plan = view.calls[0];
  std::vector<Index> senders, own;
  for (const PlanOp& op : plan.ops) {
    EXPECT_EQ(op.rank, 1);
    const bool arrives = plan.lanes[static_cast<std::size_t>(op.lane)] == "arrivals";
    if (const auto* copy = std::get_if<Copy>(&op.body)) (arrives ? senders : own).push_back(copy->from.rank);
    if (const auto* signal = std::get_if<Signal>(&op.body); signal && arrives) {
      EXPECT_EQ(plan.counters[static_cast<std::size_t>(signal->counter)].name,
                "fprop.sent of rank " + std::to_string(senders.back()));
    }
  }
  EXPECT_EQ(senders, (std::vector<Index>{0, 3, 2}));
  EXPECT_EQ(own, (std::vector<Index>{1, 1, 1}));
}

}  // namespace
}  // namespace lockstep
