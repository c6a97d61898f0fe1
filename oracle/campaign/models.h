// The linear layers of models that people run, forward and backward, over 2 and 8 ranks, 4096 tokens: column-parallel
// QKV projection [qkv <- hidden] and first MLP layer [ffn <- hidden], row-parallel attention projection [hidden <-
// hidden] and second MLP layer [hidden <- ffn].
//
//   Llama 3 8B, 70B   hidden 4096, 8192, ffn 14336, 28672, 32, 64 heads of 128, 8 for K and V (arXiv 2407.21783, table
//   3)
//
//   Mixtral 8x7B      hidden 4096, ffn 14336, 32 heads of 128, 8 for K and V (arXiv 2401.04088, table 1)
//
//   GPT-3 175B        hidden 12288, ffn 4 hidden, qkv 3 hidden (arXiv 2005.14165, table 2.1)
//
// On the host every length is divided by `host_scale`, unless the full size is asked for.
#pragma once

#include "reference/contract/case.h"

namespace lockstep {

inline constexpr Index host_scale = 64;

struct ModelCase {
  std::string name;  // "Llama 3 8B, attention projection"
  Case a_case;
};

// On planted data, then on normal data.
std::vector<ModelCase> model_cases(bool full_size);

}  // namespace lockstep
