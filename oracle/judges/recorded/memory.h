// Whether judging a recording fits this machine, before any of its tensors is read.
#pragma once

#include "oracle/inputs/safetensors.h"

namespace lockstep {

// Bytes that judging takes at the most, about.
double bytes_needed(const Safetensors& file);

// In a sentence with both figures.
void refuse_if_too_large(const Safetensors& file);

}  // namespace lockstep
