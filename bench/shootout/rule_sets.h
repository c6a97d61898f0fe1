// The rules by what they are: each set in a file of its own.
#pragma once

#include "bench/shootout/rule.h"

namespace lockstep::shootout {

std::vector<Rule> te_ops_rules();     // Transformer Engine, te.ops with Userbuffers
std::vector<Rule> te_other_rules();   // Transformer Engine, the GEMM overlap script and the C++ test
std::vector<Rule> tolerance_rules();  // of other projects, with a tolerance
std::vector<Rule> exact_rules();      // of other projects, without

}  // namespace lockstep::shootout
