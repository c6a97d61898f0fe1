// One recorded tensor-parallel linear layer, forward, backward or both: a dump with what went in and what came out on
// every rank.
//
//   op                    row_linear                          column_linear
//   rank<r>.x, .dx        [tokens, in of r]                   [tokens of r, in]
//   rank<r>.w, .dw        [out, in of r]                      [out of r, in]
//   rank<r>.b, .db        [out]                               [out of r]
//   rank<r>.y, .dy        [tokens of r, out]                  [tokens, out of r]
//
//   y                     sum over r of x_r w_r^T (+ b)       x w_r^T (+ b_r)         x of all ranks
//   dx                    dy w_r                              sum over r of dy_r w_r
//   dw                    dy^T x_r                            dy_r^T x
//   db                    column sums of dy: of all tokens; bias=after of a row_linear: of the rank's own
//
// "x of r" is part(x, tp, r). x, w and dy are F32, BF16 or F16, all alike, or F8 with rank<r>.x_scale_inv,
// .w_scale_inv, .dy_scale_inv [1], one for all ranks of what they gather (dy of a row_linear, x of a column_linear);
// the outputs y, dx, dw, db and b F32, BF16 or F16. What is there is judged, each output from what it is made of; at
// least one is there, on every rank. docs/dumps.md has the metadata. Whatever contradicts this is a Refusal.
#pragma once

#include "oracle/inputs/recorded_layer.h"

namespace lockstep {

// y, dx, dw and db, as far as they are there, each as a kernel.
std::vector<StoredLayer> stored_linear(const Safetensors& file);

}  // namespace lockstep
