// A gathered operand: the whole, in the Userbuffers of each rank, with the rank's own chunk copied to its place.
#pragma once

#include "fused/fuser/layer_flow.h"
#include "fused/schedules/direct_all_gather.h"

namespace lockstep {

struct Gathered {
  std::vector<Operand> whole;
  std::vector<std::vector<Region>> tensors;  // values, and scales in rows
  std::vector<Chunks> chunks;                // of each of the tensors
};

// Shards [rows of the rank, K]; shards [rows, K of the rank], where K is the tokens.
Gathered gather_rows(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards);
Gathered gather_columns(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards);

}  // namespace lockstep
