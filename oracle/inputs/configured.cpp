#include "oracle/inputs/configured.h"

#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

Method method_of(OverlapMethod method) {
  if (method == OverlapMethod::pipeline) return Method::pipeline;
  return method == OverlapMethod::bulk ? Method::bulk : Method::ring_exchange;
}

std::string layer_name(const Call& call, const std::optional<std::string>& layer) {
  const std::string first = call.is_row() ? "proj" : "qkv", second = call.is_row() ? "fc2" : "fc1";
  if (layer && layer != first && layer != second)
    refuse("layer {} of {}: the names of this layer are {} and {}", in_quotes(*layer), key_named("op").get(call), first,
           second);
  return layer.value_or(!call.is_row() && call.frozen ? second : first);
}

void use(Call& call, const CommunicatorConfig& config, const std::string& name) {
  if (config.method == OverlapMethod::pipeline) call.splits = config.num_splits;
  call.first_gemm = config.pipeline_rs_overlap_first_gemm;
  if (!config.is_reduce_scatter || !is_fp8(call.recipe)) return;
  if (config.fp8_buf && call.recipe.kind != RecipeKind::delayed)
    refuse("{} with fp8_buf and recipe={}: an FP8 wire takes its scale from the calls before, so its recipe is delayed",
           name, key_named("recipe").get(call));
  call.fp8_wire = config.fp8_buf;
}

}  // namespace

Call configured(Call call, const OverlapConfig& config, const std::optional<std::string>& layer) {
  if (call.op == Kernel::gemm_ar) refuse("op=gemm_ar: Userbuffers have no communicator for an all-reduce to configure");
  const std::string name = layer_name(call, layer);
  const CommunicatorConfig &fprop = config.at(name + "_fprop"), &dgrad = config.at(name + "_dgrad");
  if (call.is_backward() && !call.is_row() && call.frozen && dgrad.method == OverlapMethod::bulk)
    refuse(
        "frozen=1 with {}_dgrad bulk: without a weight gradient there is no GEMM to hide the reduction of dX behind; "
        "configure {}_dgrad as ring_exchange or pipeline",
        name, name);
  if (call.is_backward() && !call.is_row() && !call.frozen && dgrad.method != OverlapMethod::bulk)
    refuse(
        "frozen=0 with {}_dgrad {}: with a weight gradient the gradient of the input is bulk; configure {}_dgrad as "
        "bulk, or take frozen=1",
        name, dgrad.method == OverlapMethod::pipeline ? "pipeline" : "ring_exchange", name);
  call.method = method_of(fprop.method), call.dgrad = method_of(dgrad.method);
  call.aggregate = call.is_row() ? call.is_backward() && dgrad.aggregate : call.is_forward() && fprop.aggregate;
  if (call.is_row() && call.is_forward()) use(call, fprop, name + "_fprop");
  if (!call.is_row() && call.is_backward()) use(call, dgrad, name + "_dgrad");
  return call;
}

}  // namespace lockstep
