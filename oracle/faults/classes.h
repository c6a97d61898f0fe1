// The faults of the catalogue, by what they get wrong.
#pragma once

#include "oracle/faults/fault.h"

namespace lockstep {

std::vector<Fault> offset_faults();
std::vector<Fault> mapping_faults();
std::vector<Fault> contribution_faults();
std::vector<Fault> remainder_faults();
std::vector<Fault> tail_faults();
std::vector<Fault> scale_faults();
std::vector<Fault> amax_faults();
std::vector<Fault> block_scale_faults();
std::vector<Fault> precision_faults();
std::vector<Fault> layout_faults();
std::vector<Fault> backward_faults();
std::vector<Fault> overflow_faults();
std::vector<Fault> zero_faults();
std::vector<Fault> dispatch_faults();
std::vector<Fault> order_faults();
std::vector<Fault> edge_faults();
std::vector<Fault> reuse_faults();
std::vector<Fault> shared_buffer_faults();
std::vector<Fault> stream_faults();
std::vector<Fault> hang_faults();
// Of worlds: these know the groups, all others one of them.
std::vector<Fault> world_faults();

}  // namespace lockstep
