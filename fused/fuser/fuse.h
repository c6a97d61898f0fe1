// The fuser: which runs of a Sequential's operations become one overlapped operation.
//
//   BasicLinear, Bias, ReduceScatter   ->  UserbuffersForwardLinear with a bias before the reduction
//   BasicLinear, ReduceScatter         ->  UserbuffersForwardLinear without one
//
// where the BasicLinear has mode `none` and a comm_name, and the group has more than one rank. All else stays as it is.
// What comes out stands for the same operations in the same order as what went in (expand(fuse(s)) == s).
// Source: Transformer Engine's te.ops, forward_linear's matcher; patterns 4 and 5 of it.
#pragma once

#include "fused/plan/plan.h"
#include "reference/contract/layer.h"
#include "reference/contract/problem.h"

namespace lockstep {

struct UserbuffersForwardLinear {
  BasicLinear linear;
  std::optional<Bias> bias;
  ReduceScatter reduce_scatter;
  bool operator==(const UserbuffersForwardLinear&) const = default;
};

using FusedOperation = std::variant<Operation, UserbuffersForwardLinear>;

std::vector<FusedOperation> fuse(const Sequential& layer);
Sequential expand(const std::vector<FusedOperation>& fused);

// What the fused operation does in one call. The problem's bias and group are the operation's own.
Plan plan_of(const UserbuffersForwardLinear& linear, Problem problem, Index splits);

}  // namespace lockstep
