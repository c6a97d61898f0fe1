#include "oracle/judges/expected.h"

#include "reference/ops/sequential.h"

namespace lockstep {
namespace {

Ranks decode(const std::vector<Tensor>& tensors) {
  Ranks values;
  for (const Tensor& tensor : tensors) values.push_back(lockstep::decode(tensor));
  return values;
}

}  // namespace

Declaration declared(const Call& call) {
  return {is_exact(call.data) ? exact_sum : f32_in_order, call.dtype, call.wire, call.dtype};
}

std::vector<Tensor> expected(const Call& call, const Inputs& inputs) {
  const Ranks y = forward(layer_of(call), decode(inputs.x), {decode(inputs.w), decode(inputs.b)}, declared(call));
  std::vector<Tensor> outputs;
  for (const Matrix& shard : y) outputs.push_back(encode(call.dtype, shard));
  return outputs;
}

}  // namespace lockstep
