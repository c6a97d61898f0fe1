#include "reference/ops/sequential.h"

#include "reference/contract/refusal.h"
#include "reference/ops/basic_linear.h"
#include "reference/ops/bias.h"
#include "reference/ops/reduce_scatter.h"

namespace lockstep {
namespace {

struct Forward {
  const Ranks& x;
  const Parameters& parameters;
  const Declaration& declared;

  Ranks operator()(const BasicLinear& linear) const {
    CHECK(linear.mode == ParallelMode::none, "only BasicLinear without a parallel mode of its own has a reference");
    return basic_linear(x, parameters.weight, declared);
  }
  Ranks operator()(const Bias&) const { return bias(x, parameters.bias); }
  Ranks operator()(const ReduceScatter&) const { return reduce_scatter(x, declared); }
};

}  // namespace

Ranks forward(const Sequential& layer, const Ranks& x, const Parameters& parameters, const Declaration& declared) {
  Ranks y = x;
  for (const Operation& operation : layer) y = std::visit(Forward{y, parameters, declared}, operation);
  return y;
}

}  // namespace lockstep
