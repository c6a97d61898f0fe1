// Judges whatever one recorded file holds, by the op that its metadata names.
//
//   strongest  declared where the file says all that its bits depend on; else the orders that are known
//              (known_orders.h), and where none fits, bound
//   declared   to the bit; what the file does not say is taken as plain (declared_gemm.h, declared_layer.h)
//   bound      the order of sums withheld (judge_bound.h)
//   freivalds  exact data of a GEMM (judge_freivalds.h)
#pragma once

#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

enum class RecordedJudge { strongest, declared, bound, freivalds };

// By its name above; refuses an unknown one with the list.
RecordedJudge recorded_judge_named(std::string_view name);

// op gemm (oracle/inputs/recorded_gemm.h), all_gather_gemm or gemm_reduce_scatter (oracle/inputs/recorded_layer.h); any
// other is refused.
RecordedVerdict judge_recorded(const std::string& path, RecordedJudge judge = RecordedJudge::strongest);

}  // namespace lockstep
