// The arithmetic of single numbers under the names of reference/contract/symbol.h, so that an operation is written once
// and read twice: on floats it computes, on symbols it says what reached what. Every step to nearest even.
#pragma once

#include "reference/contract/symbol.h"

#include <cmath>

namespace lockstep {

inline float add(float a, float b) { return a + b; }
inline float amax_of(float a) { return std::abs(a); }
inline float larger(float a, float b) { return std::fmax(a, b); }  // a NaN is never the larger

inline float quantized(DType type, float a, float scale) { return round_to(type, a * scale); }
inline float dequantized(float code, float scale_inv) { return code * scale_inv; }
// Onto +0, as the device's GEMMs do it: where a product of scales underflows, what is left of any sum is +0.
inline float scaled(float sum, float scale_a, float scale_b) { return std::fma(sum, scale_a * scale_b, 0.0f); }
inline float inverse(float scale) { return 1.0f / scale; }

// The scales of recipe.h.
float current_scale(DType type, float amax);
float delayed_scale(DType type, float amax, Index margin, float before);
float block_scale(RecipeKind recipe, DType type, float amax);

}  // namespace lockstep
