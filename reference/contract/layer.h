// A layer as its user writes it: a sequence of operations, each a plain description.
// Reference and fused both read it; what an operation computes is said in reference/ops, one file each.
#pragma once

#include "reference/contract/dtype.h"

#include <string>
#include <variant>
#include <vector>

namespace lockstep {

enum class ParallelMode { none, column, row };

// Y = X W^T, no bias. `comm_name` names the layer's Userbuffers ("proj", "fc2"); where it is empty the layer is never
// fused. With mode `none` the operation holds one rank's shards and the reduction is an operation of its own.
struct BasicLinear {
  ParallelMode mode = ParallelMode::none;
  std::string comm_name;
  bool operator==(const BasicLinear&) const = default;
};

// Y = X + b, each rank its own b.
struct Bias {
  bool operator==(const Bias&) const = default;
};

// Y_q = row block q of the sum over the ranks.
struct ReduceScatter {
  Index tp = 1;
  bool operator==(const ReduceScatter&) const = default;
};

using Operation = std::variant<BasicLinear, Bias, ReduceScatter>;
using Sequential = std::vector<Operation>;

}  // namespace lockstep
