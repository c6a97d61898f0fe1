// A program as bytes and back, for another process of the same executable: every field in the order of plan.h, numbers
// as they lie in memory, lists behind their lengths. program_of_bytes(bytes_of(p)) has the calls and the counter base
// of p.
#pragma once

#include "fused/plan/plan.h"

#include <span>

namespace lockstep {

std::vector<std::byte> bytes_of(const Program& program);

// Bytes that are too few or too many are a mistake.
Program program_of_bytes(std::span<const std::byte> bytes);

}  // namespace lockstep
