// Normal BF16 numbers for matrices of the device: a million of them, over and over.
#pragma once

#include "reference/contract/cuda/device_bytes.h"

namespace lockstep {

void fill_with_numbers(void* to, std::size_t bytes);
DeviceBytes numbers(Index rows, Index cols);

}  // namespace lockstep
