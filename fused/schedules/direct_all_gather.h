// AllGather by direct pushes: each rank puts its own chunk, which already stands in its Userbuffers, to the same place
// of every peer, nearest first (r + 1, r + 2, ..), and waits for those of all peers.
#pragma once

#include "fused/plan/flow.h"

namespace lockstep {

// A tensor that is gathered: chunk c of every rank's copy, [rank][c].
using Chunks = std::vector<std::vector<Region>>;

Chunks chunks_in_rows(const std::vector<Region>& whole);
// Columns in given ranges, one a chunk.
Chunks chunks_in_columns(const std::vector<Region>& whole, const std::vector<Range>& columns);

// On lane `lane` of each rank.
void direct_all_gather(Flow& flow, const std::string& name, const std::string& lane,
                       const std::vector<Chunks>& tensors);

}  // namespace lockstep
