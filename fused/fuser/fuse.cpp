#include "fused/fuser/fuse.h"

#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

template <typename Kind>
const Kind* operation_at(const Sequential& layer, std::size_t i) {
  return i < layer.size() ? std::get_if<Kind>(&layer[i]) : nullptr;
}

std::optional<Bias> bias_at(const Sequential& layer, std::size_t i) {
  const auto* bias = operation_at<Bias>(layer, i);
  return bias ? std::optional(*bias) : std::nullopt;
}

std::optional<UserbuffersLinear> match_parallel(const Sequential& layer, std::size_t i, const BasicLinear& linear,
                                                Index tp) {
  if (tp < 2) return {};
  if (!linear.sequence_parallel)
    refuse(
        "BasicLinear(comm_name={}): a layer over Userbuffers is sequence parallel; set sequence_parallel, or leave "
        "comm_name empty",
        linear.comm_name);
  const bool column = linear.mode == ParallelMode::column;
  return UserbuffersLinear{linear, column ? bias_at(layer, i + 1) : std::nullopt, {}};
}

// The fused operation that starts at operation i, if one does.
std::optional<UserbuffersLinear> match(const Sequential& layer, std::size_t i, Index tp) {
  const auto* linear = operation_at<BasicLinear>(layer, i);
  if (!linear || linear->comm_name.empty()) return {};
  if (linear->mode != ParallelMode::none) return match_parallel(layer, i, *linear, tp);
  const auto bias = bias_at(layer, i + 1);
  const auto* reduce_scatter = operation_at<ReduceScatter>(layer, i + (bias ? 2 : 1));
  if (!reduce_scatter || reduce_scatter->tp < 2) return {};
  return UserbuffersLinear{*linear, bias, *reduce_scatter};
}

std::size_t operations_in(const UserbuffersLinear& linear) {
  return 1 + (linear.bias ? 1 : 0) + (linear.reduce_scatter ? 1 : 0);
}

void append(Sequential& layer, const Operation& operation) { layer.push_back(operation); }

void append(Sequential& layer, const UserbuffersLinear& linear) {
  layer.push_back(linear.linear);
  if (linear.bias) layer.push_back(*linear.bias);
  if (linear.reduce_scatter) layer.push_back(*linear.reduce_scatter);
}

template <typename Fused>
std::vector<FusedOperation> fuse(const Sequential& layer, Index tp) {
  std::vector<FusedOperation> fused;
  for (std::size_t i = 0; i < layer.size();) {
    const auto matched = match(layer, i, tp);
    if (matched)
      fused.emplace_back(Fused{*matched});
    else
      fused.emplace_back(layer[i]);
    i += matched ? operations_in(*matched) : 1;
  }
  if (expand(fused) != layer) refuse("the fused operations do not stand for the layer's own, in the same order");
  return fused;
}

}  // namespace

std::vector<FusedOperation> fuse_forward(const Sequential& layer, Index tp) {
  return fuse<UserbuffersForwardLinear>(layer, tp);
}

std::vector<FusedOperation> fuse_backward(const Sequential& layer, Index tp) {
  return fuse<UserbuffersBackwardLinear>(layer, tp);
}

Sequential expand(const std::vector<FusedOperation>& fused) {
  Sequential layer;
  for (const FusedOperation& operation : fused) std::visit([&](const auto& one) { append(layer, one); }, operation);
  return layer;
}

}  // namespace lockstep
