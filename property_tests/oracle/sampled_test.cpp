// A sample of a large case: every part that can be lost is in it, what is in it is what the whole would be, and a fault
// in the last tile shows.
#include "oracle/judges/sampled.h"

#include "oracle/faults/strike.h"
#include "oracle/judges/blindness.h"
#include "oracle/judges/judge.h"
#include "property_tests/case_generator.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

bool hits(const std::vector<Index>& all, const Range& part) {
  return part.empty() || (std::ranges::binary_search(all, part.begin) && std::ranges::binary_search(all, part.end - 1));
}

RC_GTEST_PROP(Sampled, HasTheFirstAndLastOfEveryPart, ()) {
  Call call = (*arbitrary_case()).first();
  call.sample = *rc::gen::inRange<Index>(2, 5), call.tokens = std::max<Index>(call.tokens, 1);
  const Sampled all = sampled(call);
  for (const Range& part : partition(call.tokens, call.tp)) RC_ASSERT(hits(all.tokens, part));
  for (Index parts : {call.tp, call.splits}) {
    for (const Range& part : partition(call.in, parts)) RC_ASSERT(hits(all.in, part));
    for (const Range& part : partition(call.out, parts)) RC_ASSERT(hits(all.out, part));
  }
}

// The reference of a sample, and that of everything, agree where the sample is, and the rest is unknown.
RC_GTEST_PROP(Sampled, IsTheWholeWhereItIs, ()) {
  Case a_case = *arbitrary_case();
  RC_PRE(!a_case.first().fp8_wire && !a_case.first().accumulate && a_case.first().data != Data::specials);
  const auto inputs = make_inputs(a_case);
  const auto whole = expected(a_case, inputs);
  for (Call& call : a_case.calls) call.sample = 2;
  const auto some = expected(a_case, inputs);
  for (std::size_t which = 0; which < whole.size(); ++which)
    for (const auto& [name, ranks] : whole[which])
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const Call& call = a_case.calls[which];
        const Origin origin = origin_of(problem_of(call), name, static_cast<Index>(rank));
        const Sampled judged = sampled(call);
        for (Index i = 0; i < ranks[rank].rows; ++i)
          for (Index j = 0; j < ranks[rank].cols; ++j) {
            const bool in_it = is_sampled(judged, name, origin.row + i, origin.col + j);
            const Tensor& got = some[which].at(name)[rank];
            const bool same = code_at(got, i, j) == code_at(ranks[rank], i, j);
            RC_LOG() << name << " of rank " << rank << " at " << i << ", " << j << (in_it ? " in it" : " not in it")
                     << std::endl;
            RC_ASSERT((in_it && same) || (!in_it && std::isnan(value_at(got, i, j))));
          }
      }
}

TEST(Sampled, SeesTheLastTile) {
  Case a_case = parse_case("op=gemm_rs tp=4 tokens=203 in=33 out=301 splits=4 data=normal sample=2");
  EXPECT_EQ(judge(a_case).outcome, Outcome::agree);
  EXPECT_LT(judge(a_case).comparison.compared, 300);
  a_case = parse_case(print(a_case) + " fault=remainder_dropped");
  const Prepared prepared = prepare(a_case);
  const Verdict verdict = judge_run(prepared, program_of(a_case));
  EXPECT_EQ(verdict.outcome, Outcome::disagree);
  EXPECT_EQ(verdict.judge, "declared");
}

TEST(Sampled, GoesWithBounds) {
  Case a_case = parse_case(
      "op=row_linear pass=both tp=3 tokens=100 in=60 out=90 recipe=block128 data=normal judge=bound sample=2");
  EXPECT_EQ(judge(a_case).outcome, Outcome::agree);
  EXPECT_LT(judge(a_case).comparison.utilisation, 1);
  a_case = parse_case(print(a_case) + " fault=remainder_dropped");
  EXPECT_EQ(judge(a_case).judge, "bound");
}

TEST(Sampled, ACaseThatASampleCannotJudgeIsRefused) {
  EXPECT_THROW(parse_case("sample=2 judge=freivalds"), Refusal);
  EXPECT_THROW(parse_case("op=row_linear recipe=delayed wire=fp8 sample=2"), Refusal);
  EXPECT_THROW(parse_case("op=row_linear pass=backward accumulate=f32 sample=2"), Refusal);
  EXPECT_THROW(parse_case("sample=1025"), Refusal);
}

}  // namespace
}  // namespace lockstep
