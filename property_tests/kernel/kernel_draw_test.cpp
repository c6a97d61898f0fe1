// What is drawn for a kernel is within what it takes, of every cell that it has, and the same from the same seed.
#include "oracle/kernel/kernel_draw.h"

#include "oracle/kernel/kernel_problem.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

KernelAbout any_kernel() {
  KernelAbout about;
  about.name = "any";
  about.ops = *rc::gen::inRange(1u, 64u);
  about.min_ranks = *rc::gen::inRange(1, 5);
  about.max_ranks = about.min_ranks + *rc::gen::inRange(0, 8);
  about.tokens_multiple = *rc::gen::inRange(1, 9);
  about.in_multiple = *rc::gen::inRange(1, 9);
  about.out_multiple = *rc::gen::inRange(1, 9);
  about.even_shards = *rc::gen::arbitrary<bool>();
  about.memory = *rc::gen::element(RunsOn::host, RunsOn::cuda);
  return about;
}

RC_GTEST_PROP(KernelDraw, IsWithinWhatTheKernelTakes, ()) {
  const KernelAbout about = any_kernel();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (Index turn = 0; turn < 4; ++turn) {
    const auto a_case = draw_for_kernel(about, seed, 0, turn, 0, {});
    if (!a_case) continue;
    validate(*a_case);
    RC_ASSERT(parse_case(print(*a_case)) == *a_case);
    RC_ASSERT(why_not_for_kernel(about, *a_case) == "");
    RC_ASSERT(a_case->first().executor == (Executor{ExecutorKind::sequential, 0, about.memory}));
    for (const Call& call : a_case->calls) {
      RC_ASSERT(about.ops >> kernel_problem(about, call).op & 1);
      RC_ASSERT(call.tp >= about.min_ranks && call.tp <= std::max<Index>(about.max_ranks, 2));
      RC_ASSERT(call.tokens % about.tokens_multiple == 0);
      const Problem p = problem_of(call);
      for (Index rank = 0; rank < call.tp && about.even_shards; ++rank) {
        RC_ASSERT(p.in_of(rank).size() % about.in_multiple == 0);
        RC_ASSERT(p.out_of(rank).size() % about.out_multiple == 0);
        if (!p.all_reduce) RC_ASSERT(p.tokens_of(rank).size() % about.tokens_multiple == 0);
      }
    }
  }
}

TEST(KernelDraw, IsTheSameAgainAndOtherDataForTheSameShapes) {
  KernelAbout about;
  about.ops = 0x3F;
  for (Index number = 0; number < 50; ++number) {
    const auto once = draw_for_kernel(about, 5, number, 0, 0, {}), other = draw_for_kernel(about, 5, number, 0, 1, {});
    EXPECT_EQ(once, draw_for_kernel(about, 5, number, 0, 0, {}));
    if (!once || !other) continue;
    EXPECT_EQ(kernel_problem(about, once->first()).tokens, kernel_problem(about, other->first()).tokens);
    EXPECT_NE(once->first().seed, other->first().seed);
  }
}

// A kernel of few ranks gets as many cases as any.
TEST(KernelDraw, SeldomHasNone) {
  KernelAbout about;
  about.ops = 0x3F, about.min_ranks = 11, about.max_ranks = 12, about.even_shards = true, about.in_multiple = 8;
  Index none = 0;
  for (Index number = 0; number < 200; ++number) none += draw_for_kernel(about, 1, number, 0, 0, {}) ? 0 : 1;
  EXPECT_LT(none, 100);
}

// Every operation with every pass and recipe that the interface has.
TEST(KernelDraw, ReachesEveryOperationPassAndRecipe) {
  KernelAbout about;
  about.ops = 0x3F;
  std::set<std::tuple<Kernel, Pass, RecipeKind>> drawn;
  for (Index number = 0; number < 2000; ++number)
    if (const auto a_case = draw_for_kernel(about, 1, number, 0, 0, {}))
      drawn.emplace(a_case->first().op, a_case->first().pass, a_case->first().recipe.kind);
  EXPECT_EQ(drawn.size(), 3u * 3 + 2 * 3 * 3);
  about.ops = 1 << LOCKSTEP_GEMM;
  for (Index number = 0; number < 50; ++number) {
    const auto a_case = draw_for_kernel(about, 1, number, 0, 0, {});
    EXPECT_TRUE(!a_case || kernel_problem(about, a_case->first()).op == LOCKSTEP_GEMM);
  }
}

}  // namespace
}  // namespace lockstep
