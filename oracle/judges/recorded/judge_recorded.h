// Judges whatever one recorded file holds, by the op that its metadata names.
#pragma once

#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

// op gemm (oracle/inputs/recorded_gemm.h), all_gather_gemm or gemm_reduce_scatter (oracle/inputs/recorded_layer.h); any
// other is refused.
RecordedVerdict judge_recorded(const std::string& path);

}  // namespace lockstep
