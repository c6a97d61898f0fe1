// The orders of summation that are known: each accumulator model of reference/numerics, with split-K 1 to 12, and the
// tree that it declares. What a tree cannot tell (fraction bits, bits kept) lets several models fit one output.
#pragma once

#include "oracle/order/probe.h"
#include "reference/numerics/accumulator.h"

#include <span>
#include <string_view>

namespace lockstep {

struct Model {
  std::string_view name;
  Accumulator accumulator;
  int operand_bits;  // 8 or 16; 0: any
};

std::span<const Model> known_models();
const Model& model_named(std::string_view name);  // refuses an unknown one, with the list
bool takes(const Model& model, DType type);

inline constexpr Index max_known_split_k = 12;

// What the probe of `type` with these terms must show of the sum, by the definition of the model alone.
SumTree declared_tree(const Accumulator& accumulator, Index split_k, DType type, Index k,
                      const std::vector<Range>& terms);

struct Fit {
  const Model* model;
  Index split_k;
};

// All that give these counts, with split-K 1 to 12 and `also`. A model gives those of its declared tree; where the
// probe's masks are others than masks_for, those of the model run on the very operands, which are refused where that
// would take long.
std::vector<Fit> which_models(const Probe& probe, const Counts& counts, std::optional<Index> also = {});

// "hopper_16bit with split-K 2 to 12; ..."; "none of the models known"
std::string print(const std::vector<Fit>& fits);

}  // namespace lockstep
