#include "oracle/diagnosis/recorded/alter.h"

namespace lockstep {

Tensor one() {
  Matrix m(1, 1);
  m(0, 0) = 1;
  return encode(DType::f32, m);
}

// In float: twice a number of 16 bits may have no code of 16 bits.
void multiply(std::optional<Tensor>& values, float factor) {
  if (!values) return;
  Matrix m = decode(*values);
  for (float& value : m.values) value *= factor;
  values = encode(DType::f32, m);
}

void multiply(GemmInputs& g, float factor) {
  if (!g.input_scale) g.input_scale = one();
  multiply(g.input_scale, factor);
  multiply(g.bias, factor);
}

void leave_out(GemmInputs& g, const Range& k) {
  for (Index i = 0; i < g.input.rows; ++i)
    for (Index col = k.begin; col < k.end; ++col) set_code(g.input, i, col, 0);
}

}  // namespace lockstep
