// The one scale of a tensor: from its amax now, or from what was kept of calls before (reference/contract/recipe.h).
#pragma once

#include "fused/fuser/layer_flow.h"

namespace lockstep {

void keep_scales(LayerFlow& layer, Pass pass);
// After a pass: the amaxes of the roles that it moves on go round the group, histories and scales follow.
void update_scales(LayerFlow& layer, Pass pass);

// The scale [1, 1] of each rank; under delayed scaling the amax is taken for the update.
std::vector<Region> scale_of(LayerFlow& layer, Role role, const std::vector<Region>& from);

}  // namespace lockstep
