// The JSON header of a safetensors file: parsed and checked against the size of the data (see safetensors.h).
#pragma once

#include "oracle/inputs/safetensors.h"

namespace lockstep {

struct SafetensorsHeader {
  Metadata metadata;
  std::vector<StoredTensor> tensors;
};

SafetensorsHeader parse_safetensors_header(const std::string& path, std::string_view text, Index data_bytes);

}  // namespace lockstep
