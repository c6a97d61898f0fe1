// Scales from the whole range of float, so that products of them with sums or with each other overflow, underflow or
// are subnormal on the way: the device against the model, bit for bit.
#include "oracle/campaign/campaign.h"
#include "oracle/inputs/random.h"
#include "reference/cuda/gemm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

struct Scaled {
  const char* name;
  Scaling scaling;
  int least, most;  // exponents of scales
};

void PrintTo(const Scaled& scaled, std::ostream* stream) { *stream << scaled.name; }

class DeviceScales : public testing::TestWithParam<Scaled> {
 protected:
  void SetUp() override {
    if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

Tensor scales(const Scaled& scaled, Index rows, Index cols, Random random) {
  Matrix all(rows, cols);
  for (float& scale : all.values)
    scale = std::ldexp(random.coin() ? 1.0f : 1 + static_cast<float>(random.between(0, 255)) / 256,
                       static_cast<int>(random.between(scaled.least, scaled.most)));
  return encode(DType::f32, all);
}

// Few products in a sum, so that it is small now and then.
Tensor sparse(Index rows, Index cols, Random random) {
  Matrix all(rows, cols);
  for (float& value : all.values) value = random.between(0, 15) == 0 ? random.normal() : 0;
  return encode(DType::e4m3, all);
}

GemmInputs random_inputs(const Scaled& scaled, std::uint64_t seed) {
  constexpr Index m = 64, n = 128, k = 512, blocks = k / scale_block;
  GemmInputs inputs{.input = sparse(m, k, Random(seed, 1)), .weight = sparse(n, k, Random(seed, 2))};
  inputs.scaling = scaled.scaling;
  const bool in_blocks = scaled.scaling != Scaling::per_tensor, in_rows = scaled.scaling == Scaling::by_1x128_1x128;
  inputs.input_scale = scales(scaled, in_blocks ? blocks : 1, in_blocks ? m : 1, Random(seed, 3));
  inputs.weight_scale =
      in_rows ? scales(scaled, blocks, n, Random(seed, 4)) : scales(scaled, 1, in_blocks ? blocks : 1, Random(seed, 4));
  return inputs;
}

TEST_P(DeviceScales, OfAnySizeAreFoldedInAsTheModelSays) {
  Index differing = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const GemmInputs inputs = random_inputs(GetParam(), seed);
    const Accumulator& model = inputs.scaling == Scaling::per_tensor ? hopper_fp8_promoted : hopper_fp8;
    const Tensor got = gemm_on_device(inputs, false).output, want = gemm(inputs, model).output;
    for (Index i = 0; i < got.rows; ++i)
      for (Index j = 0; j < got.cols; ++j, ++compared) {
        const bool both_nan = std::isnan(value_at(got, i, j)) && std::isnan(value_at(want, i, j));
        if (both_nan || code_at(got, i, j) == code_at(want, i, j)) continue;
        if (differing++ < 8)
          ADD_FAILURE() << fmt::format("seed {} [{}, {}]: got {:a}, want {:a}", seed, i, j, value_at(got, i, j),
                                       value_at(want, i, j));
      }
  }
  EXPECT_EQ(differing, 0) << "of " << compared;
  std::cout << compared << " elements compared\n";
}

// Found by a campaign: one block of K, which three of zeros fill up, and a sum that is -0 before they are added.
TEST(DeviceBlocks, ThatFillKUpChangeNoSign) {
  if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason;
  const Verdict verdict = run_case(parse_case("op=row_linear pass=both tp=2 tokens=1 in=4 out=4 bias=none recipe=mxfp8 "
                                              "method=accumulate splits=1 arithmetic=hopper data=specials seed=3 "
                                              "device=cuda"))
                              .verdict;
  EXPECT_EQ(verdict.outcome, Outcome::agree) << verdict.finding;
  EXPECT_EQ(verdict.judge, "declared");
}

INSTANTIATE_TEST_SUITE_P(Cublas, DeviceScales, testing::ValuesIn([] {
                           std::vector<Scaled> all;
                           for (const auto& [name, scaling] : {std::pair("per_tensor", Scaling::per_tensor),
                                                               {"by_1x128_128x128", Scaling::by_1x128_128x128},
                                                               {"by_1x128_1x128", Scaling::by_1x128_1x128}}) {
                             all.push_back({name, scaling, -70, -50});
                             all.push_back({name, scaling, -149, 127});
                             all.push_back({name, scaling, -149, -100});
                             all.push_back({name, scaling, 50, 70});
                           }
                           return all;
                         }()),
                         [](const auto& test) { return fmt::format("{}_{}", test.param.name, test.index); });

}  // namespace
}  // namespace lockstep
