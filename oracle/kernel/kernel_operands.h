// What a kernel under test is given in each call: x, w, b, dy of every rank, each where the pass reads it; under an FP8
// recipe x, w and dy as codes, and their scales, scale_inv.x, ..; with the first call main_grad.
//
// Quantised by the reference (reference/ops/quantize.h): `delayed` by the scale that the calls before have left, which
// is no business of the kernel's.
#pragma once

#include "oracle/inputs/inputs.h"

namespace lockstep {

// `inputs` are those of the case (make_inputs), of one group.
std::vector<NamedTensors> kernel_operands(const Case& a_case, const std::vector<NamedTensors>& inputs);

// "scale_inv.x"
std::string scale_inv_name(Role role);

}  // namespace lockstep
