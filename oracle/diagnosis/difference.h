// How two tensors of the same name differ: element by element, NaN-aware, with the first place and the largest
// difference, beside the largest magnitude, which says what it weighs.
#pragma once

#include "oracle/inputs/inputs.h"
#include "oracle/inputs/safetensors.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

struct TensorDifference {
  std::string name;  // "call 0, y, rank 1", or the tensor's in a file
  std::string why;   // in words, where the elements cannot be compared: shapes, formats, or only one has it
  Index elements = 0, differing = 0;
  Index nans = 0;  // of those: a NaN in one alone
  Index row = 0, col = 0;
  DType a_type = DType::f32, b_type = DType::f32;
  std::uint32_t a = 0, b = 0;  // the first that differs
  double largest = 0;          // |a - b|, of those that are numbers in both
  double magnitude = 0;        // the largest |a| or |b|

  bool differs() const { return !why.empty() || differing > 0; }
};

// Of equal formats code by code, two NaNs being equal; of others value by value.
TensorDifference difference(std::string name, const Tensor& a, const Tensor& b);

// Of every tensor of either, tensors by their order in A, then those of B alone.
std::vector<TensorDifference> difference(const Safetensors& a, const Safetensors& b);
std::vector<TensorDifference> difference(const std::vector<NamedTensors>& a, const std::vector<NamedTensors>& b);

// A table, a line a tensor, and how many differ.
std::string print(const std::vector<TensorDifference>& all);
nlohmann::json to_json(const std::vector<TensorDifference>& all);

}  // namespace lockstep
