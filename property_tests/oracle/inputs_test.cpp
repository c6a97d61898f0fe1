#include "oracle/inputs/inputs.h"

#include "property_tests/case_generator.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

namespace lockstep {
namespace {

Case with_data(Case a_case, Data data) {
  for (Call& call : a_case.calls) call.data = data;
  return a_case;
}

// The bits of every sum do not depend on its order: forwards and backwards give the same, at every rounding.
RC_GTEST_PROP(Planted, IsExactInEveryOrder, ()) {
  const Call call = with_data(*arbitrary_case(), Data::planted).first();
  const Inputs inputs = make_inputs(call, 0);
  for (Index i = 0; i < call.tokens; ++i) {
    float up = 0, down = 0;
    for (std::size_t r = 0; r < inputs.x.size(); ++r) {
      float forwards = 0, backwards = 0;
      const Index k = inputs.x[r].cols, j = i % call.out;
      for (Index at = 0; at < k; ++at) {
        forwards += value_at(inputs.x[r], i, at) * value_at(inputs.w[r], j, at);
        backwards += value_at(inputs.x[r], i, k - 1 - at) * value_at(inputs.w[r], j, k - 1 - at);
      }
      RC_ASSERT(forwards == backwards);
      RC_ASSERT(round_to(call.wire, forwards) == forwards);
      up += forwards;
      down = forwards + down;
    }
    RC_ASSERT(up == down && round_to(call.dtype, up) == up);
  }
}

RC_GTEST_PROP(Planted, NoElementIsZeroAndBiasesArePositive, ()) {
  const Call call = with_data(*arbitrary_case(), Data::planted).first();
  const Inputs inputs = make_inputs(call, 0);
  for (const auto* tensors : {&inputs.x, &inputs.w})
    for (const Tensor& tensor : *tensors)
      for (float value : decode(tensor).values) RC_ASSERT(value != 0.0f);
  for (const Tensor& bias : inputs.b)
    for (float value : decode(bias).values) RC_ASSERT(value > 0.0f);
}

TEST(Inputs, DependOnTheSeedTheCallAndTheRank) {
  const Call call = parse_case("tp=2 tokens=8 in=16 out=8 seed=1").first();
  EXPECT_EQ(make_inputs(call, 0).x, make_inputs(call, 0).x);
  EXPECT_NE(make_inputs(call, 0).x, make_inputs(call, 1).x);
  EXPECT_NE(make_inputs(call, 0).x[0], make_inputs(call, 0).x[1]);
  EXPECT_NE(make_inputs(call, 0).x, make_inputs(parse_case("tp=2 tokens=8 in=16 out=8 seed=2").first(), 0).x);
}

TEST(RankBits, EveryRankContributesItsBit) {
  const Call call = parse_case("tp=8 tokens=9 in=5 out=7 data=rank_bits bias=per_rank").first();
  const Inputs inputs = make_inputs(call, 0);
  for (std::size_t r = 0; r < 8; ++r)
    for (Index j = 0; j < call.out; ++j) {
      float sum = value_at(inputs.b[r], 0, j);
      for (Index k = 0; k < inputs.x[r].cols; ++k) sum += value_at(inputs.x[r], 3, k) * value_at(inputs.w[r], j, k);
      EXPECT_EQ(sum, std::ldexp(1.0f, static_cast<int>(r)));
    }
}

TEST(RankBits, MoreRanksThanBitsAreRefused) {
  EXPECT_THROW(make_inputs(parse_case("tp=9 data=rank_bits").first(), 0), Refusal);
  EXPECT_NO_THROW(make_inputs(parse_case("tp=9 data=rank_bits dtype=f32 wire=f32").first(), 0));
}

TEST(Address, NoTwoWeightsAreAlikeWhileCodesLast) {
  const Inputs inputs = make_inputs(parse_case("tp=2 tokens=4 in=20 out=30 data=address bias=none").first(), 0);
  std::set<std::uint32_t> codes;
  for (const Tensor& w : inputs.w)
    for (Index j = 0; j < w.rows; ++j)
      for (Index k = 0; k < w.cols; ++k) codes.insert(code_at(w, j, k));
  EXPECT_EQ(codes.size(), 600u);
}

TEST(Normal, HasMeanZeroAndDeviationOne) {
  const Inputs inputs = make_inputs(parse_case("tp=1 tokens=200 in=200 out=1 data=normal dtype=f32").first(), 0);
  double sum = 0, squares = 0;
  for (float value : decode(inputs.x[0]).values) sum += value, squares += value * value;
  EXPECT_NEAR(sum / 40000, 0, 0.03);
  EXPECT_NEAR(squares / 40000, 1, 0.03);
}

}  // namespace
}  // namespace lockstep
