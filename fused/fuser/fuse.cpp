#include "fused/fuser/fuse.h"

#include "fused/schedules/pipelined_gemm_reduce_scatter.h"

namespace lockstep {
namespace {

template <typename Kind>
const Kind* operation_at(const Sequential& layer, std::size_t i) {
  return i < layer.size() ? std::get_if<Kind>(&layer[i]) : nullptr;
}

// The fused operation that starts at operation i, if one does.
std::optional<UserbuffersForwardLinear> match(const Sequential& layer, std::size_t i) {
  const auto* linear = operation_at<BasicLinear>(layer, i);
  if (!linear || linear->mode != ParallelMode::none || linear->comm_name.empty()) return {};
  const auto* bias = operation_at<Bias>(layer, i + 1);
  const auto* reduce_scatter = operation_at<ReduceScatter>(layer, i + (bias ? 2 : 1));
  if (!reduce_scatter || reduce_scatter->tp < 2) return {};
  return UserbuffersForwardLinear{*linear, bias ? std::optional(*bias) : std::nullopt, *reduce_scatter};
}

void append(Sequential& layer, const Operation& operation) { layer.push_back(operation); }

void append(Sequential& layer, const UserbuffersForwardLinear& linear) {
  layer.push_back(linear.linear);
  if (linear.bias) layer.push_back(*linear.bias);
  layer.push_back(linear.reduce_scatter);
}

}  // namespace

std::vector<FusedOperation> fuse(const Sequential& layer) {
  std::vector<FusedOperation> fused;
  for (std::size_t i = 0; i < layer.size();) {
    const auto matched = match(layer, i);
    if (matched)
      fused.emplace_back(*matched);
    else
      fused.emplace_back(layer[i]);
    i += matched ? (matched->bias ? 3 : 2) : 1;
  }
  return fused;
}

Sequential expand(const std::vector<FusedOperation>& fused) {
  Sequential layer;
  for (const FusedOperation& operation : fused) std::visit([&](const auto& one) { append(layer, one); }, operation);
  return layer;
}

Plan plan_of(const UserbuffersForwardLinear& linear, Problem problem, Index splits) {
  problem.tp = linear.reduce_scatter.tp;
  problem.bias = linear.bias.has_value();
  return pipelined_gemm_reduce_scatter(problem, splits);
}

}  // namespace lockstep
