// A call with the overlap that a configuration of Userbuffers gives its layer, by the communicator names that
// Transformer Engine uses:
//
//   row layers, gemm_rs      proj or fc2, as told; proj if not
//   column layers, ag_gemm   qkv or fc1, as told; if not, qkv, and fc1 where the weight is frozen
//
// method, dgrad, splits, aggregate and first_gemm become those of the configuration; an FP8 buffer of a reduce-scatter
// is wire=fp8 under delayed scaling. What else a communicator is configured to (SMs, clusters, priorities) is of the
// device.
#pragma once

#include "fused/config/overlap_config.h"
#include "reference/contract/case.h"

#include <optional>

namespace lockstep {

// Refuses a call that the configuration cannot serve: gemm_ar, a layer of another name, a frozen column layer whose
// dgrad is bulk, an FP8 buffer under an FP8 recipe that has no scale for it.
Call configured(Call call, const OverlapConfig& config, const std::optional<std::string>& layer = {});

}  // namespace lockstep
