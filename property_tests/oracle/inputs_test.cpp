#include "oracle/inputs/inputs.h"

#include "oracle/inputs/exactness.h"
#include "oracle/judges/expected.h"
#include "property_tests/case_generator.h"
#include "reference/contract/refusal.h"
#include "reference/ops/quantize.h"

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

NamedTensors inputs_of(const Call& call) { return make_inputs({{call}})[0]; }
NamedTensors inputs_of(const char* line) { return inputs_of(parse_case(line).first()); }

// The bits of every sum do not depend on its order: forwards and backwards give the same, at every rounding.
RC_GTEST_PROP(Planted, IsExactInEveryOrder, ()) {
  const auto row = cells_where([](const Cell& c) { return c.op == Kernel::gemm_rs && c.recipe == RecipeKind::none; });
  const Call call = with_data(*arbitrary_case_of(row), Data::planted).first();
  const NamedTensors inputs = inputs_of(call);
  const auto &x = inputs.at("x"), &w = inputs.at("w");
  for (Index i = 0; i < call.tokens; ++i) {
    float up = 0, down = 0;
    for (std::size_t r = 0; r < x.size(); ++r) {
      float forwards = 0, backwards = 0;
      const Index k = x[r].cols, j = i % call.out;
      for (Index at = 0; at < k; ++at) {
        forwards += value_at(x[r], i, at) * value_at(w[r], j, at);
        backwards += value_at(x[r], i, k - 1 - at) * value_at(w[r], j, k - 1 - at);
      }
      RC_ASSERT(forwards == backwards);
      RC_ASSERT(round_to(call.wire, forwards) == forwards);
      up += forwards;
      down = forwards + down;
    }
    RC_ASSERT(up == down && round_to(call.dtype, up) == up);
  }
}

// Nor is there an order, or a sign of a rank's contribution, that leaves the whole numbers of the types on its way.
RC_GTEST_PROP(Planted, ContributionsAddUpToWholeNumbersOfTheirTypes, ()) {
  const auto row = cells_where([](const Cell& c) { return c.op == Kernel::gemm_rs && c.recipe == RecipeKind::none; });
  const Call call = with_data(*arbitrary_case_of(row), Data::planted).first();
  const NamedTensors inputs = inputs_of(call);
  Matrix sizes(call.tokens, call.out);
  for (std::size_t r = 0; r < inputs.at("x").size(); ++r) {
    const Matrix x = decode(inputs.at("x")[r]), w = decode(inputs.at("w")[r]), b = decode(inputs.at("b")[r]);
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = 0; j < w.rows; ++j) {
        float sum = 0;
        for (Index k = 0; k < x.cols; ++k) sum += x(i, k) * w(j, k);
        sizes(i, j) += std::abs(sum) + (b.cols > 0 ? b(0, j) : 0.0f);
      }
  }
  const Index room = std::min(largest_exact_integer(call.dtype), largest_exact_integer(call.wire));
  RC_ASSERT(largest_magnitude(sizes) <= room);
}

// The same of whole layers, scales included: by rank or the own first, in float or as a tensor core sums.
RC_GTEST_PROP(Planted, OfALayerIsExactInEveryOrder, ()) {
  const auto cells = cells_where([](const Cell& c) {
    return c.op == Kernel::gemm_rs && c.method != Method::accumulate && c.recipe != RecipeKind::delayed;
  });
  const Call call = with_data(*arbitrary_case_of(cells), Data::planted).first();
  const Case a_case{{call}};
  const auto inputs = make_inputs(a_case);
  const auto wanted = expected(a_case, inputs)[0].at("y");
  const auto decoded = [&](const char* name) {
    Ranks ranks;
    for (const Tensor& tensor : inputs[0].at(name)) ranks.push_back(decode(tensor));
    return ranks;
  };
  LayerDeclaration how = declared(call);
  how.forward.order = *rc::gen::element(ReductionOrder::by_rank, ReductionOrder::own_first);
  const bool has_core = is_fp8(call.recipe) || call.dtype != DType::f32;
  how.forward.accumulator = !has_core ? f32_in_order : is_fp8(call.recipe) ? hopper_fp8_promoted : hopper_16bit;
  LayerState<float> state;
  const Ranks y = forward(layer_of(call), decoded("x"), {decoded("w"), decoded("b")}, how, state);
  for (std::size_t rank = 0; rank < y.size(); ++rank) RC_ASSERT(encode(call.dtype, y[rank]) == wanted[rank]);
}

RC_GTEST_PROP(Planted, NoElementIsZeroAndBiasesArePositive, ()) {
  const NamedTensors inputs = inputs_of(with_data(*arbitrary_case(), Data::planted).first());
  for (const char* name : {"x", "w", "dy"})
    if (const auto found = inputs.find(name); found != inputs.end())
      for (const Tensor& tensor : found->second)
        for (float value : decode(tensor).values) RC_ASSERT(value != 0.0f);
  if (const auto found = inputs.find("b"); found != inputs.end())
    for (const Tensor& bias : found->second)
      for (float value : decode(bias).values) RC_ASSERT(value > 0.0f);
}

// What is scaled comes back as it was: no quantisation of planted data loses a bit.
RC_GTEST_PROP(Planted, SurvivesQuantisation, ()) {
  const auto scaled =
      cells_where([](const Cell& c) { return c.recipe == RecipeKind::block128 || c.recipe == RecipeKind::mxfp8; });
  const Call call = with_data(*arbitrary_case_of(scaled), Data::planted).first();
  const NamedTensors inputs = inputs_of(call);
  for (const Tensor& w : inputs.at("w"))
    RC_ASSERT(dequantize(quantize(call.recipe, Role::w, decode(w), {})) == decode(w));
}

TEST(Planted, MultipliersMakeScalesThatAreNoPowersOfTwo) {
  std::set<float> fractions;
  for (int seed = 0; seed < 40; ++seed) {
    Call call = parse_case("op=row_linear tp=2 dtype=f32 wire=f32 recipe=delayed").first();
    call.seed = static_cast<std::uint64_t>(seed);
    int exponent = 0;
    fractions.insert(std::frexp(value_at(inputs_of(call).at("scale.w")[1], 0, 0), &exponent));
  }
  EXPECT_GE(fractions.size(), 4u);
}

TEST(Planted, AHistoryThatForgetsIsRefusedUnderAnFp8Wire) {
  const char* line = "recipe=delayed wire=fp8 amax=most_recent calls=2";
  EXPECT_THROW(make_inputs(parse_case(line)), Refusal);
  EXPECT_NO_THROW(make_inputs(parse_case(std::string(line) + " data=normal")));
}

TEST(Inputs, DependOnTheSeedTheCallAndTheRank) {
  const auto inputs = make_inputs(parse_case("tp=2 tokens=8 in=16 out=8 seed=1 calls=2"));
  EXPECT_EQ(inputs[0].at("x"), make_inputs(parse_case("tp=2 tokens=8 in=16 out=8 seed=1"))[0].at("x"));
  EXPECT_NE(inputs[0].at("x"), inputs[1].at("x"));
  EXPECT_NE(inputs[0].at("x")[0], inputs[0].at("x")[1]);
  EXPECT_NE(inputs[0].at("x"), inputs_of("tp=2 tokens=8 in=16 out=8 seed=2").at("x"));
}

TEST(RankBits, EveryRankContributesItsBit) {
  const Call call = parse_case("tp=8 tokens=9 in=5 out=7 data=rank_bits bias=per_rank").first();
  const NamedTensors inputs = inputs_of(call);
  for (std::size_t r = 0; r < 8; ++r)
    for (Index j = 0; j < call.out; ++j) {
      const auto &x = inputs.at("x")[r], &w = inputs.at("w")[r];
      float sum = value_at(inputs.at("b")[r], 0, j);
      for (Index k = 0; k < x.cols; ++k) sum += value_at(x, 3, k) * value_at(w, j, k);
      EXPECT_EQ(sum, std::ldexp(1.0f, static_cast<int>(r)));
    }
}

TEST(RankBits, MoreRanksThanBitsAreRefused) {
  EXPECT_THROW(inputs_of("tp=9 data=rank_bits"), Refusal);
  EXPECT_NO_THROW(inputs_of("tp=9 data=rank_bits dtype=f32 wire=f32"));
}

TEST(Address, NoTwoWeightsAreAlikeWhileCodesLast) {
  const NamedTensors inputs = inputs_of("tp=2 tokens=4 in=20 out=30 data=address bias=none");
  std::set<std::uint32_t> codes;
  for (const Tensor& w : inputs.at("w"))
    for (Index j = 0; j < w.rows; ++j)
      for (Index k = 0; k < w.cols; ++k) codes.insert(code_at(w, j, k));
  EXPECT_EQ(codes.size(), 600u);
}

TEST(Normal, HasMeanZeroAndDeviationOne) {
  const NamedTensors inputs = inputs_of("tp=1 tokens=200 in=200 out=1 data=normal dtype=f32");
  double sum = 0, squares = 0;
  for (float value : decode(inputs.at("x")[0]).values) sum += value, squares += value * value;
  EXPECT_NEAR(sum / 40000, 0, 0.03);
  EXPECT_NEAR(squares / 40000, 1, 0.03);
}

}  // namespace
}  // namespace lockstep
