// Judges whatever a dump holds, by the op that its metadata names; each output of a layer by itself.
//
//   strongest  declared where the file says all that its bits depend on; else exact, where every order gives the same
//              bits; else the orders that are known (known_orders.h), and where none fits, bound
//   declared   to the bit; what the file does not say is taken as plain (declared_gemm.h, declared_layer.h)
//   bound      the order of sums withheld (judge_bound.h)
//   freivalds  exact data of a GEMM (judge_freivalds.h)
//
// In pieces where it does not fit the memory given (pieces.h).
#pragma once

#include "oracle/inputs/safetensors.h"
#include "oracle/judges/recorded/pieces.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

enum class RecordedJudge { strongest, declared, bound, freivalds };

// By its name above; refuses an unknown one with the list.
RecordedJudge recorded_judge_named(std::string_view name);

// op gemm (oracle/inputs/recorded_gemm.h), all_gather_gemm or gemm_reduce_scatter (recorded_kernel.h), row_linear or
// column_linear (recorded_linear.h); any other is refused.
RecordedVerdict judge_recorded(const Safetensors& file, RecordedJudge judge, double most_bytes = usual_memory);
RecordedVerdict judge_recorded(const std::string& path, RecordedJudge judge = RecordedJudge::strongest);

// All but a gemm: each output as a kernel over the ranks.
std::vector<StoredLayer> stored_layers(const Safetensors& file);

}  // namespace lockstep
