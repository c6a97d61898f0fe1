// Whether judging a recording fits this machine, before any of its tensors is read.
#pragma once

#include "oracle/inputs/safetensors.h"

namespace lockstep {

// Bytes that judging takes at the most, about; of numbers as a judge computes them, floats or Bounded.
double bytes_needed(const Safetensors& file, Index bytes_of_a_number = sizeof(float));

// In a sentence with both figures.
void refuse_if_too_large(const Safetensors& file, Index bytes_of_a_number = sizeof(float));

}  // namespace lockstep
