// A layer is homogeneous: X times c_x, W times c_w, dY times c_dy, and biases and what is kept to match, give
//
//   Y, b   c_x c_w        dX   c_dy c_w        dW, main gradient   c_dy c_x        db   c_dy
//   of each role: amaxes in a history |c|, scale 1 / |c|
#pragma once

#include "oracle/judges/relations/outputs.h"

namespace lockstep {

// Exponents of the factors of X, W and dY.
struct Degrees {
  int x = 0, w = 0, dy = 0;
};

// That of the factor of a tensor of this name.
inline int degree_of(const Degrees& d, std::string_view name) {
  if (name.starts_with("scale.")) return -degree_of(d, name.substr(6));
  if (name.starts_with("history.")) return degree_of(d, name.substr(8));
  if (name == "x") return d.x;
  if (name == "w") return d.w;
  if (name == "dy" || name == "db") return d.dy;
  if (name == "dx") return d.dy + d.w;
  return name == "y" || name == "b" ? d.x + d.w : d.dy + d.x;
}

template <typename F>
Tensor each_element(Tensor tensor, const F& f) {
  for (Index i = 0; i < tensor.rows; ++i)
    for (Index j = 0; j < tensor.cols; ++j) set_code(tensor, i, j, f(tensor.dtype, code_at(tensor, i, j)));
  return tensor;
}

}  // namespace lockstep
