// How the tensors of a layer become operands of its GEMMs under each recipe (reference/contract/recipe.h): which
// operations make the codes and scales, where they stand, how shards come together.
#pragma once

#include "fused/plan/flow.h"
#include "fused/schedules/direct_all_gather.h"

#include <map>

namespace lockstep {

// What a layer under delayed scaling keeps of a role from call to call, and the amax of this call, on each rank.
struct KeptScale {
  std::vector<Region> scale;    // [1, 1]
  std::vector<Region> history;  // [1, n]
  std::vector<Region> amax;     // [1, 1]
};

struct LayerFlow {
  Flow flow;
  const Problem& problem;
  std::map<Role, KeptScale> kept{};  // delayed scaling: the roles of the pass

  const Recipe& recipe() const { return problem.recipe; }
};

void keep_scales(LayerFlow& layer, Pass pass);
// After a pass: the amaxes of the roles that it moves on go round the group, histories and scales follow.
void update_scales(LayerFlow& layer, Pass pass);

// As an operand [rows, K] of each rank: the tensor itself, or codes and scales in workspaces.
std::vector<Operand> quantized(LayerFlow& layer, Role role, const std::vector<Region>& from);

// The same tensor as an operand [columns, K = rows]; `rows` is what quantized() gave. Blocks of scales along K start
// anew at each of k_parts parts.
std::vector<Operand> quantized_transpose(LayerFlow& layer, Role role, const std::vector<Region>& from,
                                         const std::vector<Operand>& rows, Index k_parts);

// An operand whose values were gathered as codes with one scale: the transpose of the codes, in a workspace.
std::vector<Operand> transposed_codes(LayerFlow& layer, const std::string& name, const std::vector<Operand>& rows);

// A gathered operand: the whole, in the Userbuffers of each rank, with the rank's own chunk copied to its place.
struct Gathered {
  std::vector<Operand> whole;
  std::vector<std::vector<Region>> tensors;  // values, and scales in rows
  std::vector<Chunks> chunks;                // of each of the tensors
};

// Shards [rows of the rank, K]; shards [rows, K of the rank], where K is the tokens.
Gathered gather_rows(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards);
Gathered gather_columns(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards);

}  // namespace lockstep
