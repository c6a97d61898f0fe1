// The configuration of Userbuffers as JSON, with the names and keys of Transformer Engine's ub_cfgs:
//
//   {"proj_fprop": {"method": "ring_exchange", "num_sm": 4}, "qkv_dgrad": {"method": "pipeline"}}
//
// What is not given takes its default (overlap_config.h). Refused, in one sentence each: a file that can not be read,
// text that is not JSON, a key that stands twice, a value of the wrong type, and all that `validate` refuses.
// parse_overlap_config(print(c), tp) == c for every valid c and every tp.
#pragma once

#include "fused/config/overlap_config.h"

namespace lockstep {

OverlapConfig parse_overlap_config(std::string_view json_text, Index tp);
OverlapConfig read_overlap_config(const std::string& path, Index tp);  // its refusals begin with the path

// The whole configuration, every key said, as JSON.
std::string print(const OverlapConfig& config);

}  // namespace lockstep
