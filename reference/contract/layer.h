// A layer as its user writes it: a sequence of operations, each a plain description.
// Reference and fused both read it; what an operation computes is said in reference/ops, one file each.
#pragma once

#include "reference/contract/problem.h"

#include <string>
#include <variant>
#include <vector>

namespace lockstep {

// Y = X W^T, no bias. `comm_name` names the layer's Userbuffers ("proj", "fc2"); where it is empty the layer is never
// fused. With mode `none` the operation holds one rank's shards and communication is an operation of its own. `row` and
// `column` communicate: sequence parallel by gathering X and reduce-scattering Y, else by an all-reduce.
struct BasicLinear {
  ParallelMode mode = ParallelMode::none;
  std::string comm_name{};
  bool sequence_parallel = true;
  bool operator==(const BasicLinear&) const = default;
};

// Y = X + b, each rank its own b.
struct Bias {
  bool operator==(const Bias&) const = default;
};

// Y = the rows of all ranks, one after the other.
struct AllGather {
  Index tp = 1;
  bool operator==(const AllGather&) const = default;
};

// Y_q = row block q of the sum over the ranks.
struct ReduceScatter {
  Index tp = 1;
  bool operator==(const ReduceScatter&) const = default;
};

// Y = the sum over the ranks, on every rank.
struct AllReduce {
  Index tp = 1;
  bool operator==(const AllReduce&) const = default;
};

// Y = X, quantised and back.
struct Quantize {
  bool operator==(const Quantize&) const = default;
};

using Operation = std::variant<BasicLinear, Bias, AllGather, ReduceScatter, AllReduce, Quantize>;
using Sequential = std::vector<Operation>;

// `Linear` as te.ops composes it: the bias of a row-parallel layer comes before the reduction, each rank its own.
//   none, column   BasicLinear(mode), Bias
//   row            BasicLinear(none), Bias, ReduceScatter or AllReduce
inline Sequential linear(ParallelMode mode, Index tp, bool bias, bool sequence_parallel, std::string comm_name = "") {
  const bool row = mode == ParallelMode::row;
  Sequential layer{BasicLinear{row ? ParallelMode::none : mode, std::move(comm_name), sequence_parallel}};
  if (bias) layer.push_back(Bias{});
  if (row) sequence_parallel ? layer.push_back(ReduceScatter{tp}) : layer.push_back(AllReduce{tp});
  return layer;
}

}  // namespace lockstep
