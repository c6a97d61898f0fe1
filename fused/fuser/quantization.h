// How the tensors of a layer become operands of its GEMMs under each recipe (reference/contract/recipe.h): which
// operations make the codes and scales, and where they stand.
#pragma once

#include "fused/fuser/layer_flow.h"

namespace lockstep {

// As an operand [rows, K] of each rank: the tensor itself, or codes and scales in workspaces.
std::vector<Operand> quantized(LayerFlow& layer, Role role, const std::vector<Region>& from);

// The same tensor as an operand [columns, K = rows]; `rows` is what quantized() gave. Blocks of scales along K start
// anew at each of k_parts parts.
std::vector<Operand> quantized_transpose(LayerFlow& layer, Role role, const std::vector<Region>& from,
                                         const std::vector<Operand>& rows, Index k_parts);

// An operand whose values were gathered as codes with one scale: the transpose of the codes, in a workspace.
std::vector<Operand> transposed_codes(LayerFlow& layer, const std::string& name, const std::vector<Operand>& rows);

}  // namespace lockstep
