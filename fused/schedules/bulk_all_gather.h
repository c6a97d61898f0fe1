// Bulk AllGather (Transformer Engine's bulk overlap): a tensor is gathered while a GEMM runs that does not touch it.
#pragma once

#include "fused/schedules/direct_all_gather.h"

namespace lockstep {

// `gemms` of each rank; the gathered tensors' own chunks are in place.
void bulk_all_gather(Flow& flow, const std::string& name, const std::vector<Chunks>& tensors,
                     const std::vector<Gemm>& gemms);

}  // namespace lockstep
