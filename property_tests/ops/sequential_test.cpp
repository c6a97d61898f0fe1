// Layers that are never overlapped, on numbers that can be checked by hand: what their communication is without
// sequence parallelism, and with AllGather and AllReduce as operations of their own.
#include "reference/ops/sequential.h"

#include "property_tests/matrix.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

const Declaration exact{exact_sum, DType::f32, DType::f32, DType::f32};
const LayerDeclaration plain{.forward = exact, .backward = exact, .recipe = {}};

struct Passes {
  Ranks y;
  Gradients<float> gradients;
};

Passes run(const Sequential& layer, const Ranks& x, const Parameters<float>& parameters, const Ranks& dy,
           const LayerDeclaration& declared = plain) {
  LayerState<float> state;
  const Ranks y = forward(layer, x, parameters, declared, state);
  return {y, backward(layer, x, dy, parameters, declared, {}, state)};
}

TEST(Sequential, AColumnLayerWithoutSequenceParallelismReducesItsInputGradientEverywhere) {
  const Passes r = run({BasicLinear{ParallelMode::column, "", false}, Bias{}}, Ranks(2, matrix(2, 1, {1, 2})),
                       {{matrix(1, 1, {10}), matrix(1, 1, {100})}, {matrix(1, 1, {5}), matrix(1, 1, {7})}},
                       {matrix(2, 1, {1, 3}), matrix(2, 1, {1, 2})});
  EXPECT_EQ(r.y, (Ranks{matrix(2, 1, {15, 25}), matrix(2, 1, {107, 207})}));
  EXPECT_EQ(r.gradients.dx, Ranks(2, matrix(2, 1, {110, 230})));
  EXPECT_EQ(r.gradients.dw, (Ranks{matrix(1, 1, {7}), matrix(1, 1, {5})}));
  EXPECT_EQ(r.gradients.db, (Ranks{matrix(1, 1, {4}), matrix(1, 1, {3})}));
}

TEST(Sequential, ARowLayerWithoutSequenceParallelismReducesItsOutputEverywhere) {
  const Ranks x{matrix(2, 1, {1, 2}), matrix(2, 1, {3, 4})}, dy(2, matrix(2, 1, {1, 10}));
  const Parameters<float> parameters{{matrix(1, 1, {10}), matrix(1, 1, {100})}, {}};
  for (const Sequential& layer : std::vector<Sequential>{{BasicLinear{ParallelMode::row, "", false}},
                                                         linear(ParallelMode::row, 2, false, false)}) {
    const Passes r = run(layer, x, parameters, dy);
    EXPECT_EQ(r.y, Ranks(2, matrix(2, 1, {310, 420})));
    EXPECT_EQ(r.gradients.dx, (Ranks{matrix(2, 1, {10, 100}), matrix(2, 1, {100, 1000})}));
    EXPECT_EQ(r.gradients.dw, (Ranks{matrix(1, 1, {21}), matrix(1, 1, {43})}));
  }
}

TEST(Sequential, ARowLayersBiasIsThatOfAllRanksAndItsGradientTheSameOnEach) {
  const Ranks x{matrix(2, 1, {1, 2}), matrix(2, 1, {3, 4})};
  const Passes r = run(linear(ParallelMode::row, 2, true, true), x,
                       {{matrix(1, 1, {10}), matrix(1, 1, {100})}, {matrix(1, 1, {1}), matrix(1, 1, {2})}},
                       {matrix(1, 1, {5}), matrix(1, 1, {6})});
  EXPECT_EQ(r.y, (Ranks{matrix(1, 1, {313}), matrix(1, 1, {423})}));
  EXPECT_EQ(r.gradients.db, Ranks(2, matrix(1, 1, {11})));
}

TEST(Sequential, AnAllGatherOfItsOwnIsReduceScatteredBackward) {
  const Passes r = run({AllGather{2}, BasicLinear{}}, {matrix(1, 1, {1}), matrix(1, 1, {2})},
                       {{matrix(1, 1, {10}), matrix(1, 1, {100})}, {}}, {matrix(2, 1, {1, 3}), matrix(2, 1, {1, 2})},
                       {.forward = exact, .backward = exact, .recipe = {}, .frozen = true});
  EXPECT_EQ(r.y, (Ranks{matrix(2, 1, {10, 20}), matrix(2, 1, {100, 200})}));
  EXPECT_EQ(r.gradients.dx, (Ranks{matrix(1, 1, {110}), matrix(1, 1, {230})}));
  EXPECT_TRUE(r.gradients.dw.empty());
}

// 3 / 7 of 448 is 192 exactly, 5 / 7 is 320, but 1.1 becomes 1.125: 72 of 64 a unit.
TEST(Sequential, AQuantizeOfItsOwnLosesWhatFp8DoesNotHold) {
  const LayerDeclaration current{.forward = exact, .backward = exact, .recipe = {.kind = RecipeKind::current}};
  LayerState<float> state;
  EXPECT_EQ(forward({Quantize{}}, Ranks{matrix(1, 4, {7, 3, 5, 1.1f})}, {}, current, state),
            (Ranks{matrix(1, 4, {7, 3, 5, 1.125f})}));
}

TEST(Sequential, AMainGradientIsAddedToAndKept) {
  LayerState<float> state{{}, {matrix(1, 1, {1000})}};
  const Ranks x{matrix(2, 1, {1, 2})}, dy{matrix(2, 1, {3, 4})};
  const LayerDeclaration declared{.forward = exact, .backward = exact, .recipe = {}, .main_grad = DType::f32};
  for (float expected : {1011.0f, 1022.0f}) {
    backward({BasicLinear{}}, x, dy, Parameters<float>{{matrix(1, 1, {1})}, {}}, declared, {}, state);
    EXPECT_EQ(state.main_grad[0](0, 0), expected);
  }
}

}  // namespace
}  // namespace lockstep
