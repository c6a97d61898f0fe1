// The readers of text that others write, with valid texts of every kind and what must come back of what is taken.
#pragma once

#include "property_tests/fuzz/fuzz.h"

namespace lockstep {

Reader case_lines();      // reference/contract/case.h
Reader configurations();  // fused/config/overlap_config_json.h
Reader safetensors();     // oracle/inputs/safetensors.h: whole files
Reader journals();        // oracle/campaign/journal.h: whole files

}  // namespace lockstep
