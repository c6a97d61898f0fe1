// A sharded dump by its index: {"metadata": {..}, "weight_map": {tensor: file}}, the files beside it (dump.h).
#pragma once

#include "oracle/inputs/safetensors.h"

namespace lockstep {

Safetensors read_indexed(const std::string& path);

}  // namespace lockstep
