// A call with the overlap that a configuration of Userbuffers gives its layer, by the communicator names that Transformer
// Engine uses:
//
//   row layers, gemm_rs   proj_fprop, proj_dgrad     column layers, ag_gemm   qkv_fprop, qkv_dgrad; frozen: fc1_..
//
// method, dgrad, splits, aggregate and first_gemm become those of the configuration; an FP8 buffer of a reduce-scatter is
// wire=fp8 under delayed scaling. What else a communicator is configured to (SMs, clusters, priorities) is of the device.
#pragma once

#include "fused/config/overlap_config.h"
#include "reference/contract/case.h"

namespace lockstep {

// Refuses a call that the configuration cannot serve: gemm_ar, and a frozen column layer whose dgrad is bulk.
Call configured(Call call, const OverlapConfig& config);

}  // namespace lockstep
