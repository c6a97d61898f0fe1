// When two codes stand for the same value to a judge: the same bits, or two NaNs, whatever their payloads. A NaN and a
// number are never the same, nor are +0 and -0.
#pragma once

#include "reference/contract/dtype.h"

#include <cmath>

namespace lockstep {

inline bool same_value(DType type, std::uint32_t a, std::uint32_t b) {
  return a == b || (std::isnan(decode(type, a)) && std::isnan(decode(type, b)));
}

}  // namespace lockstep
