#include "reference/ops/sequential.h"

#include "oracle/judges/expected.h"
#include "property_tests/case_generator.h"
#include "reference/ops/bias.h"
#include "reference/ops/reduce_scatter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

Matrix matrix(Index rows, Index cols, std::vector<float> values) {
  Matrix m(rows, cols);
  m.values = std::move(values);
  return m;
}

const Declaration bf16_exact{exact_sum, DType::bf16, DType::bf16, DType::bf16};

TEST(Bias, EveryRankAddsItsOwn) {
  const Ranks y =
      bias({matrix(2, 2, {1, 2, 3, 4}), matrix(1, 2, {5, 6})}, {matrix(1, 2, {10, 20}), matrix(1, 2, {30, 40})});
  EXPECT_EQ(y, (Ranks{matrix(2, 2, {11, 22, 13, 24}), matrix(1, 2, {35, 46})}));
}

TEST(ReduceScatter, SumsOverTheRanksAndDealsOutTheRows) {
  const Ranks y = reduce_scatter({matrix(3, 1, {1, 2, 3}), matrix(3, 1, {10, 20, 30})}, bf16_exact);
  EXPECT_EQ(y, (Ranks{matrix(2, 1, {11, 22}), matrix(1, 1, {33})}));
}

// 257 is no BF16 value: it goes on the wire as 256, and the two of them come out as 512, not 514.
TEST(ReduceScatter, RoundsEachContributionToTheWireAndTheSumToTheOutput) {
  const Ranks x{matrix(1, 1, {257}), matrix(1, 1, {257})};
  EXPECT_EQ(reduce_scatter(x, bf16_exact)[0](0, 0), 512);
  EXPECT_EQ(reduce_scatter(x, {exact_sum, DType::bf16, DType::f32, DType::f32})[0](0, 0), 514);
}

// In float, from rank 0 on: 2^24 + 1 is lost, and so is its neighbour.
TEST(ReduceScatter, AddsInTheOrderOfTheRanks) {
  const Ranks x{matrix(1, 1, {0x1p24f}), matrix(1, 1, {1}), matrix(1, 1, {1})};
  EXPECT_EQ(reduce_scatter(x, {f32_in_order, DType::f32, DType::f32, DType::f32})[0](0, 0), 0x1p24f);
}

// On exact data every accumulator gives the same bits, a Hopper tensor core's too.
RC_GTEST_PROP(Sequential, ExactDataIsExactUnderEveryAccumulator, ()) {
  Call call = (*arbitrary_case()).first();
  call.data = Data::planted, call.dtype = DType::bf16;
  const Inputs inputs = make_inputs(call, 0);
  Ranks x;
  Parameters parameters;
  for (std::size_t rank = 0; rank < inputs.x.size(); ++rank) {
    x.push_back(decode(inputs.x[rank]));
    parameters.weight.push_back(decode(inputs.w[rank]));
    parameters.bias.push_back(decode(inputs.b[rank]));
  }
  const Ranks exact = forward(layer_of(call), x, parameters, declared(call));
  for (const Accumulator& accumulator : {f32_in_order, hopper_16bit, ampere_16bit})
    RC_ASSERT(forward(layer_of(call), x, parameters, {accumulator, call.dtype, call.wire, call.dtype}) == exact);
}

}  // namespace
}  // namespace lockstep
