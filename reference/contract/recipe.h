// How a layer's operands become FP8. HYBRID formats: E4M3 forward (X, W, Y), E5M2 for gradients (dY, dX).
//
//   none       operands stay as they are
//   delayed    one scale a tensor, from the amax of calls before:
//                codes = encode(x * scale), scale_inv = 1 / scale
//                after the call: history = {amax, history without its oldest}
//                                a = the largest of the history, or its newest
//                                scale = (largest(format) / a) / 2^margin where a is finite and > 0, else as before
//   current    one scale a tensor, from its own amax: scale = largest(format) / amax, 1 where amax is 0 or infinite
//   block128   a scale for every 1 x 128 values along K of an activation or gradient, every 128 x 128 of a weight:
//                scale = the power of two at or below largest(format) / amax, 1 where amax is 0 or infinite
//   mxfp8      a scale for every 1 x 32 values along K of any operand, in E8M0:
//                scale_inv = the power of two at or above amax / largest(format), 2^-127 where amax is 0, 2^127
//                where it is infinite
//
// A scale that overflows is the largest float. All in float, each step to nearest even; encode saturates. A tensor that
// is gathered has one scale over the group (current: from the amax of all ranks). Delayed scaling reduces the amax of X,
// W and dY over the group; the partial sums of Y and dX on the wire have each rank's own. Along tokens, blocks start
// anew at every rank's shard. block128 is not among what Transformer Engine's Userbuffers take; it is here all the same.
// Source: Transformer Engine (delayed_scaling.cu, recipe.h, float8_blockwise), OCP MX 1.0, E8M0 rounded up as there.
#pragma once

#include "reference/contract/dtype.h"

#include <string>

namespace lockstep {

enum class RecipeKind { none, delayed, current, block128, mxfp8 };
enum class AmaxAlgorithm { max, most_recent };

struct Recipe {
  RecipeKind kind = RecipeKind::none;
  AmaxAlgorithm amax = AmaxAlgorithm::max;  // this and the rest: of delayed
  Index history = 4;
  Index margin = 0;
  bool operator==(const Recipe&) const = default;
};

inline bool is_fp8(const Recipe& recipe) { return recipe.kind != RecipeKind::none; }
// One scale for the whole tensor.
inline bool has_tensor_scale(const Recipe& recipe) {
  return recipe.kind == RecipeKind::delayed || recipe.kind == RecipeKind::current;
}
inline bool has_block_scales(const Recipe& recipe) { return is_fp8(recipe) && !has_tensor_scale(recipe); }
inline Index block_of(const Recipe& recipe) { return recipe.kind == RecipeKind::mxfp8 ? 32 : 128; }
inline DType scale_type(const Recipe& recipe) { return recipe.kind == RecipeKind::mxfp8 ? DType::e8m0 : DType::f32; }

// What is quantised: the input, the weight, the gradient of the output, and the partial sums of Y and dX on the wire.
enum class Role { x, w, dy, y, dx };
inline constexpr Role all_roles[] = {Role::x, Role::w, Role::dy, Role::y, Role::dx};
constexpr std::string_view name(Role role) {
  constexpr std::string_view names[] = {"x", "w", "dy", "y", "dx"};
  return names[static_cast<std::size_t>(role)];
}
constexpr DType fp8_type(Role role) { return role == Role::dy || role == Role::dx ? DType::e5m2 : DType::e4m3; }

// What delayed scaling keeps of a role, by the names that its buffers have everywhere.
inline std::string scale_name(Role role) { return "scale." + std::string(name(role)); }
inline std::string history_name(Role role) { return "history." + std::string(name(role)); }

// How the scales of a matrix [rows, K] lie: one; [rows, blocks of K]; [blocks of rows, blocks of K].
enum class ScaleGrid { tensor, rows, squares };

inline ScaleGrid grid_of(const Recipe& recipe, Role role) {
  if (has_tensor_scale(recipe)) return ScaleGrid::tensor;
  return recipe.kind == RecipeKind::block128 && role == Role::w ? ScaleGrid::squares : ScaleGrid::rows;
}

}  // namespace lockstep
