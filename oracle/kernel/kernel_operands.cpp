#include "oracle/kernel/kernel_operands.h"

#include "reference/ops/all_gather.h"
#include "reference/ops/delayed_scaling.h"

#include <algorithm>

namespace lockstep {
namespace {

using State = LayerState<float>;

Ranks decoded(const std::vector<Tensor>& tensors) {
  Ranks ranks;
  for (const Tensor& tensor : tensors) ranks.push_back(decode(tensor));
  return ranks;
}

State initial_state(const Call& call, const NamedTensors& given) {
  State state;
  if (call.recipe.kind != RecipeKind::delayed) return state;
  for (Role role : roles_of(problem_of(call), call.pass)) {
    const auto &scale = given.at(scale_name(role)), &history = given.at(history_name(role));
    for (std::size_t rank = 0; rank < scale.size(); ++rank)
      state.scales[role].push_back({value_at(scale[rank], 0, 0), decode(history[rank]).values});
  }
  return state;
}

ScaleState<float> scale_of(const State& state, Role role, std::size_t rank) {
  const auto found = state.scales.find(role);
  return found == state.scales.end() ? ScaleState<float>{} : found->second[rank];
}

// Of each rank; what is gathered is quantised as one matrix, of which each rank has its rows.
std::vector<Quantized<float>> quantized(const Call& call, Role role, const Ranks& shards, const State& state) {
  std::vector<Quantized<float>> all;
  if (!is_gathered(problem_of(call), role)) {
    for (std::size_t rank = 0; rank < shards.size(); ++rank)
      all.push_back(quantize(call.recipe, role, shards[rank], scale_of(state, role, rank)));
    return all;
  }
  const auto whole = quantize(call.recipe, role, all_gather(shards).front(), scale_of(state, role, 0));
  Index first = 0;
  for (const Matrix& shard : shards) {
    all.push_back(whole);
    all.back().codes = rows_of(whole.codes, {first, first + shard.rows});
    first += shard.rows;
  }
  return all;
}

void add_quantized(NamedTensors& operands, const Call& call, Role role, const Ranks& shards, const State& state) {
  for (const Quantized<float>& q : quantized(call, role, shards, state)) {
    operands[std::string(name(role))].push_back(encode(q.type, q.codes));
    operands[scale_inv_name(role)].push_back(encode(DType::f32, q.scale_inv));
  }
}

NamedTensors of_call(const Call& call, const NamedTensors& inputs, State& state) {
  const Problem p = problem_of(call);
  NamedTensors operands;
  if (call.is_forward() && call.bias != BiasPlacement::none) operands["b"] = inputs.at("b");
  const State before = state;
  for (Role role : roles_of(p, call.pass)) {
    const std::string named(name(role));
    const auto& tensors = inputs.at(named);
    if (!is_fp8(call.recipe)) {
      operands[named] = tensors;
      continue;
    }
    const Ranks shards = decoded(tensors);
    add_quantized(operands, call, role, shards, before);
    if (updates(call.pass, role)) update_by_group(state, role, call.recipe, shards);
  }
  return operands;
}

}  // namespace

std::string scale_inv_name(Role role) { return "scale_inv." + std::string(name(role)); }

std::vector<NamedTensors> kernel_operands(const Case& a_case, const std::vector<NamedTensors>& inputs) {
  std::vector<NamedTensors> operands;
  State state = initial_state(a_case.first(), inputs[0]);
  for (std::size_t which = 0; which < a_case.calls.size(); ++which)
    operands.push_back(of_call(a_case.calls[which], inputs[which], state));
  if (a_case.first().accumulate) operands[0]["main_grad"] = inputs[0].at("main_grad");
  return operands;
}

}  // namespace lockstep
