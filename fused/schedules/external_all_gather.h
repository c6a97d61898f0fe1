// External AllGather (Transformer Engine's proj_wgrad, fc2_wgrad): while a ring AllGather + GEMM runs on the gradient,
// a second copy of it, scaled by blocks along the tokens, is gathered for the weight's gradient: neither copy can be
// made from the other.
#pragma once

#include "fused/schedules/direct_all_gather.h"
#include "fused/schedules/ring_all_gather_gemm.h"

namespace lockstep {

void external_all_gather(Flow& flow, const AllGatherGemm& ring, bool aggregate, const std::string& name,
                         const std::vector<Chunks>& tensors);

}  // namespace lockstep
