// A plan with an operation of every kind, every optional part there, every list with two elements. It means nothing.
#pragma once

#include "fused/plan/builder.h"

namespace lockstep {

inline Plan plan_of_every_kind() {
  PlanBuilder plan(2);
  const Index main = plan.lane("main"), side = plan.lane("side");
  const Region r = plan.matrices("m", BufferKind::userbuffer, DType::f32, [](Index) { return Shape{4, 4}; })[0];
  const Index counter = plan.counter_of_each_rank("ready")[0];
  const Scales scales{r, ScaleGrid::rows, 32, 2};
  const Operand operand{r, false, scales};
  const PlanBody bodies[] = {Begin{},
                             Gemm{operand, operand, r, r, r, r, r},
                             Reduce{{r, r}, {r, r}, r},
                             Copy{r, r},
                             Transpose{r, r},
                             Amax{r, r},
                             ScaleFromAmax{r, DType::e4m3, r},
                             UpdateScale{r, r, DType::e4m3, {RecipeKind::delayed}, r},
                             Inverse{r, r},
                             QuantizeTensor{r, r, r, r},
                             QuantizeBlocks{r, false, RecipeKind::mxfp8, r, scales},
                             AddBias{r, r, r},
                             BiasGrad{r, r},
                             Signal{counter},
                             Wait{counter, 1},
                             End{}};
  static_assert(std::size(bodies) == std::variant_size_v<PlanBody>);
  for (const PlanBody& body : bodies) {
    const Index last = plan.last();
    plan.add({body, 0, main, 0, last < 0 ? std::vector<Index>{} : std::vector<Index>{last}});
  }
  plan.add({Copy{r, r}, 1, side, 1});
  return plan.take();
}

}  // namespace lockstep
