#include "oracle/inputs/inputs.h"

#include "oracle/inputs/exactness.h"
#include "oracle/inputs/planted_exponents.h"
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
  const auto row = cells_where([](const Cell& c) {
    return c.op == Kernel::gemm_rs && c.recipe != RecipeKind::delayed && c.recipe != RecipeKind::current;
  });
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

const auto block_scaled =
    cells_where([](const Cell& c) { return c.recipe == RecipeKind::block128 || c.recipe == RecipeKind::mxfp8; });

// What is scaled comes back as it was: no quantisation of planted data loses a bit, along either side.
RC_GTEST_PROP(Planted, SurvivesQuantisation, ()) {
  const Call call = with_data(*arbitrary_case_of(block_scaled), Data::planted).first();
  const NamedTensors inputs = inputs_of(call);
  for (Role role : {Role::x, Role::w, Role::dy})
    if (const auto found = inputs.find(name(role)); found != inputs.end())
      for (const Tensor& tensor : found->second) {
        const Matrix m = decode(tensor);
        RC_ASSERT(dequantize(quantize(call.recipe, role, m, {})) == m);
        RC_ASSERT(dequantize(quantize_transposed(call.recipe, role, m, {}, 1)) == transposed(m));
      }
}

RC_GTEST_PROP(Planted, ExponentsLeaveRoomInEveryType, ()) {
  const Call call = with_data(*arbitrary_case_of(block_scaled), Data::planted).first();
  const Exponents e = planted_exponents(call, call.seed, 1);
  for (int h : e.tokens) {
    RC_ASSERT(-largest_planted_exponent <= h && h <= 0);
    RC_ASSERT(h == 0 || call.bias == BiasPlacement::none);
  }
  for (const auto* features : {&e.in, &e.out})
    for (int f : *features) RC_ASSERT(0 <= f && f <= largest_planted_exponent);
  const auto largest_sum = static_cast<float>(largest_exact_integer(call.dtype));
  RC_ASSERT(std::ldexp(largest_sum, largest_planted_exponent) <= format(call.dtype).largest);
}

// Of neighbouring blocks of scales, how many differ.
struct Neighbours {
  Index pairs = 0, differ = 0;

  void add(float a, float b) { ++pairs, differ += a != b; }
  double share() const { return pairs == 0 ? 1 : static_cast<double>(differ) / static_cast<double>(pairs); }
};

struct Grid {
  Neighbours along_k, along_rows;

  void add(const Quantized<float>& q) {
    const Matrix& s = q.scale_inv;
    for (Index i = 0; i < s.rows; ++i)
      for (Index b = 0; b < s.cols; ++b) {
        if (b > 0) along_k.add(s(i, b), s(i, b - 1));
        if (i > 0) along_rows.add(s(i, b), s(i - 1, b));
      }
  }
};

// As the forward pass and as the backward pass quantise it, over many seeds.
Grid scales_of(std::string_view line, Role role, bool turned) {
  Grid all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Call call = parse_case(line).first();
    call.seed = seed;
    const NamedTensors inputs = inputs_of(call);
    // A matrix of all tokens meets one that was gathered shard by shard.
    const Index k_parts = role == Role::w || is_gathered(problem_of(call), role) ? 1 : call.tp;
    for (const Tensor& tensor : inputs.at(std::string(name(role))))
      all.add(turned ? quantize_transposed(call.recipe, role, decode(tensor), {}, k_parts)
                     : quantize(call.recipe, role, decode(tensor), {}));
  }
  return all;
}

struct ScaledRole {
  const char* line;
  Role role;
  bool turned;
  double along_k, along_rows;  // at the least
};

class BlockScales : public testing::TestWithParam<ScaledRole> {};

TEST_P(BlockScales, OfNeighboursDiffer) {
  const auto& [line, role, turned, along_k, along_rows] = GetParam();
  const Grid grid = scales_of(line, role, turned);
  EXPECT_GE(grid.along_k.share(), along_k) << line << " " << name(role);
  EXPECT_GE(grid.along_rows.share(), along_rows) << line << " " << name(role);
}

constexpr const char *in_32 = "op=row_linear pass=both tp=2 tokens=70 in=130 out=100 bias=none recipe=mxfp8",
                     *in_squares = "op=row_linear pass=both tp=2 tokens=300 in=600 out=400 bias=none recipe=block128",
                     *biased = "op=column_linear pass=both tp=2 tokens=70 in=130 out=130 bias=per_rank recipe=mxfp8";

// Rows of X and dY differ by their factors alone where there is a bias.
INSTANTIATE_TEST_SUITE_P(
    Planted, BlockScales,
    testing::Values(ScaledRole{in_32, Role::x, false, 0.99, 0.85}, ScaledRole{in_32, Role::x, true, 0.9, 0.9},
                    ScaledRole{in_32, Role::w, false, 0.9, 0.85}, ScaledRole{in_32, Role::w, true, 0.9, 0.9},
                    ScaledRole{in_32, Role::dy, false, 0.9, 0.9}, ScaledRole{in_32, Role::dy, true, 0.8, 0.9},
                    ScaledRole{in_squares, Role::x, false, 0.99, 0.85}, ScaledRole{in_squares, Role::x, true, 0.9, 0.9},
                    ScaledRole{in_squares, Role::w, false, 0.99, 0.99},
                    ScaledRole{in_squares, Role::w, true, 0.99, 0.99},
                    ScaledRole{in_squares, Role::dy, false, 0.99, 0.9},
                    ScaledRole{in_squares, Role::dy, true, 0.99, 0.9}, ScaledRole{biased, Role::x, false, 0.99, 0.2},
                    ScaledRole{biased, Role::w, false, 0.9, 0.9}, ScaledRole{biased, Role::dy, false, 0.9, 0.2}));

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
