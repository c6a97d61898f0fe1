// The fuser: which runs of a Sequential's operations become one overlapped operation, forward and backward apart.
//
//   1  BasicLinear(column)                        4  BasicLinear(none), ReduceScatter
//   2  BasicLinear(column), Bias                  5  BasicLinear(none), Bias, ReduceScatter
//   3  BasicLinear(row)                              (a bias before the reduction)
//      (a Bias that follows stays its own, after the reduction)
//
// where the BasicLinear has a comm_name and the group more than one rank; all else stays as it is. What comes out
// stands for the same operations in the same order as what went in: expand(fuse(s)) == s, or the layer is refused. A
// column or row BasicLinear that is not sequence parallel matches and is refused: its Userbuffers could not run it.
// Source: Transformer Engine's te.ops, the matchers of userbuffers_forward_linear and userbuffers_backward_linear.
#pragma once

#include "reference/contract/layer.h"
#include "reference/contract/overlap.h"

#include <optional>

namespace lockstep {

struct UserbuffersLinear {
  BasicLinear linear;
  std::optional<Bias> bias;
  std::optional<ReduceScatter> reduce_scatter;
  bool operator==(const UserbuffersLinear&) const = default;
};
struct UserbuffersForwardLinear : UserbuffersLinear {};
struct UserbuffersBackwardLinear : UserbuffersLinear {};

using FusedOperation = std::variant<Operation, UserbuffersForwardLinear, UserbuffersBackwardLinear>;

// `tp` is the size of the group that row and column BasicLinears communicate in.
std::vector<FusedOperation> fuse_forward(const Sequential& layer, Index tp);
std::vector<FusedOperation> fuse_backward(const Sequential& layer, Index tp);
Sequential expand(const std::vector<FusedOperation>& fused);

}  // namespace lockstep
