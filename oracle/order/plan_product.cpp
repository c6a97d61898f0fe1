#include "oracle/order/plan_product.h"

#include "oracle/campaign/memory_limit.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/shards.h"
#include "oracle/judges/observe.h"

namespace lockstep {
namespace {

Matrix zeros(const Shape& shape) { return {shape.rows, shape.cols}; }

NamedTensors inputs_of(const Call& call, Pass pass, const Matrix& left, const Matrix& right) {
  const Problem p = problem_of(call);
  const bool forward = pass == Pass::forward;
  const Matrix weight = forward ? right : transposed(right);
  NamedTensors inputs;
  inputs["x"] =
      of_each_rank(p, p.dtype, [&](Index r) { return forward ? cut(left, x_block(p, r)) : zeros(p.x_of(r)); });
  inputs["w"] = of_each_rank(p, p.dtype, [&](Index r) { return cut(weight, w_block(p, r)); });
  if (call.is_forward()) inputs["b"] = of_each_rank(p, p.dtype, [&](Index r) { return zeros(p.b_of(r)); });
  if (call.is_backward())
    inputs["dy"] =
        of_each_rank(p, p.dtype, [&](Index r) { return forward ? zeros(p.y_of(r)) : cut(left, y_block(p, r)); });
  if (call.accumulate)
    inputs["main_grad"] = of_each_rank(p, *call.accumulate, [&](Index r) { return zeros(p.w_of(r)); });
  return inputs;
}

}  // namespace

bool reduces_in(const Call& call, Pass pass) { return call.is_row() == (pass == Pass::forward); }

Call resized(Call call, Pass pass, Index tokens, Index k, Index features) {
  call = resolved(call);
  call.tokens = tokens;
  (pass == Pass::forward ? call.in : call.out) = k;
  (pass == Pass::forward ? call.out : call.in) = features;
  call.data = Data::normal;
  if (call.executor.kind == ExecutorKind::provenance || call.executor.kind == ExecutorKind::mpi) call.executor = {};
  return call;
}

void refuse_if_too_large(const Call& call, Pass pass, Index tokens, Index k, Index features) {
  refuse_if_too_large(Case{.calls = {resized(call, pass, tokens, k, features)}});
}

std::vector<Matrix> product_by_plan(const Call& given, Pass pass, const Matrix& left, const Matrix& right) {
  const Call call = resized(given, pass, left.rows, left.cols, right.rows);
  const Case a_case{.calls = {call}};
  const Problem p = problem_of(call);
  const std::string name = pass == Pass::forward ? "y" : "dx";
  NamedTensors like;
  for (Index rank = 0; rank < p.tp; ++rank) {
    const Shape shape = pass == Pass::forward ? p.y_of(rank) : p.x_of(rank);
    like[name].push_back(poisoned(p.dtype, shape.rows, shape.cols));
  }
  const Observed observed =
      observe(program_of(a_case), {inputs_of(call, pass, left, right)}, {like}, call.executor, call.arithmetic);
  std::vector<Matrix> outputs;
  for (const Tensor& of_rank : observed.outputs[0].at(name)) outputs.push_back(decode(of_rank));
  return outputs;
}

}  // namespace lockstep
