#include "property_tests/case_generator.h"
#include "property_tests/refusal_by.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal_of(const std::string& line) {
  return refusal_by([&] { parse_case(line); });
}

RC_GTEST_PROP(CaseLine, RoundTrips, ()) {
  const Case a_case = *arbitrary_case("rank_missing:3");
  RC_ASSERT(parse_case(print(a_case)) == a_case);
  RC_ASSERT(print(parse_case(print(a_case))) == print(a_case));
}

// Whatever the bytes: a case or a sentence.
RC_GTEST_PROP(CaseLine, NeverCrashes, ()) {
  std::string line = print(*arbitrary_case());
  const auto at = *rc::gen::inRange<std::size_t>(0, line.size());
  line.replace(at, *rc::gen::inRange<std::size_t>(0, 4), *rc::gen::arbitrary<std::string>());
  RC_ASSERT(!refusal_of(line).empty());
}

TEST(CaseLine, InheritsFromTheCallBefore) {
  const Case a_case = parse_case("op=gemm_rs tp=4 tokens=64 splits=3 seed=42 executor=adversary:7 ; tokens=3");
  ASSERT_EQ(a_case.calls.size(), 2u);
  EXPECT_EQ(a_case.calls[1].tokens, 3);
  EXPECT_EQ(a_case.calls[1].splits, 3);
  EXPECT_EQ(a_case.calls[1].executor, (Executor{ExecutorKind::adversary, 7}));
}

TEST(CaseLine, CallsRepeats) {
  EXPECT_EQ(parse_case("tokens=5 calls=3"), parse_case("tokens=5 ; tokens=5 ; tokens=5"));
}

TEST(CaseLine, RefusesInASentenceThatNamesTheKeyAndWhatIsAllowed) {
  EXPECT_THAT(refusal_of("tp=0"), AllOf(HasSubstr("tp=\"0\""), HasSubstr("from 1 to 72")));
  EXPECT_THAT(refusal_of("tokens=-1"), AllOf(HasSubstr("tokens=\"-1\""), HasSubstr("from 0")));
  EXPECT_THAT(refusal_of("tokens=3x"), HasSubstr("tokens=\"3x\""));
  EXPECT_THAT(refusal_of("tokens="), HasSubstr("tokens=\"\""));
  EXPECT_THAT(refusal_of("tokens=99999999999999999999"), HasSubstr("tokens"));
  EXPECT_THAT(refusal_of("colour=red"), AllOf(HasSubstr("colour"), HasSubstr("tokens")));
  EXPECT_THAT(refusal_of("tokens"), HasSubstr("key=value"));
  EXPECT_THAT(refusal_of("tokens=1 tokens=2"), HasSubstr("twice"));
  EXPECT_THAT(refusal_of("dtype=int8"), HasSubstr("f32, bf16 or fp16"));
  EXPECT_THAT(refusal_of("executor=adversary"), HasSubstr("adversary:SEED"));
  EXPECT_THAT(refusal_of("executor=sequential:3"), HasSubstr("executor"));
  EXPECT_THAT(refusal_of("executor=pct"), HasSubstr("pct:SEED"));
  EXPECT_THAT(refusal_of("executor=threads:-1"),
              HasSubstr("\"threads:-1\": what follows the colon is a seed from 0 to"));
  EXPECT_THAT(refusal_of("executor=pct:"), HasSubstr("\"pct:\": what follows the colon is a seed from 0 to"));
  EXPECT_THAT(refusal_of("tp=3 executor=fast:3"), HasSubstr("the fast rank is one of 0 to 2"));
  EXPECT_THAT(refusal_of("tp=3 executor=late:3"), HasSubstr("the late rank is one of 0 to 2"));
  EXPECT_THAT(refusal_of("counter=18446744073709551616"), HasSubstr("0 to 2^64 - 1"));
  EXPECT_THAT(refusal_of("counter=1 ; counter=2"), HasSubstr("may not change"));
  EXPECT_THAT(refusal_of("tp=2 ; tp=3"), HasSubstr("may not change"));
  EXPECT_THAT(refusal_of("calls=0"), HasSubstr("from 1 to 64"));
  EXPECT_THAT(refusal_of("calls=60 ; tokens=1 calls=60"), HasSubstr("more than 64 calls"));
  EXPECT_THAT(refusal_of(""), HasSubstr("empty call"));
  EXPECT_THAT(refusal_of("tokens=1 ;"), HasSubstr("empty call"));
  EXPECT_THAT(refusal_of("op=row_linear tp=1"), HasSubstr("never fused"));
}

TEST(CaseLine, RefusesWhatDoesNotGoTogetherWithTheReason) {
  const std::pair<const char*, const char*> refused[] = {
      {"op=gemm_rs pass=backward", "only pass=forward"},
      {"op=ag_gemm method=pipeline", "ring_exchange"},
      {"op=gemm_ar method=ring_exchange", "pipeline"},
      {"op=gemm_rs method=bulk", "pipeline, ring_exchange or accumulate"},
      {"op=row_linear pass=backward dgrad=bulk", "its dgrad is ring_exchange"},
      {"op=column_linear pass=backward dgrad=pipeline", "its dgrad is bulk"},
      {"op=column_linear pass=backward frozen=1 dgrad=bulk", "pipeline, ring_exchange or accumulate"},
      {"op=gemm_rs aggregate=1", "ring all-gather"},
      {"op=gemm_rs method=ring_exchange first_gemm=1", "only a pipeline"},
      {"op=row_linear accumulate=f32", "only a backward pass"},
      {"op=row_linear pass=backward frozen=1 accumulate=f32", "only a backward pass"},
      {"op=gemm_ar first_gemm=1", "only a pipeline"},
      {"op=gemm_rs bias=after", "only row_linear"},
      {"op=gemm_rs wire=fp8", "its recipe is delayed"},
      {"op=gemm_rs wire=fp8 recipe=delayed method=accumulate", "travelling sum"},
      {"op=column_linear pass=backward wire=f32", "wire is dtype"},
      {"op=gemm_rs data=rank_bits recipe=mxfp8", "recipe=none"},
      {"op=row_linear pass=backward accumulate=f32 ; in=3", "one main gradient"}};
  for (const auto& [line, words] : refused) EXPECT_THAT(refusal_of(line), HasSubstr(words)) << line;
}

TEST(CaseLine, ADefaultMethodIsThatOfTheOperation) {
  const auto method = [](const char* line) { return parse_case(line).first().method; };
  const auto dgrad = [](const char* line) { return parse_case(line).first().dgrad; };
  EXPECT_EQ(method("op=gemm_rs"), Method::pipeline);
  EXPECT_EQ(method("op=column_linear"), Method::ring_exchange);
  EXPECT_EQ(dgrad("op=row_linear pass=backward"), Method::ring_exchange);
  EXPECT_EQ(dgrad("op=column_linear pass=backward"), Method::bulk);
  EXPECT_EQ(dgrad("op=column_linear pass=backward frozen=1"), Method::ring_exchange);
}

}  // namespace
}  // namespace lockstep
