#include "reference/numerics/epilogue.h"

#include <cmath>

namespace lockstep {

void apply(const Epilogue& epilogue, Matrix& values) {
  for (Index i = 0; i < values.rows; ++i)
    for (Index j = 0; j < values.cols; ++j) {
      const float c = epilogue.c ? epilogue.beta * (*epilogue.c)(i, j) : 0.0f;
      float v = values(i, j);
      if (epilogue.scale || epilogue.c) v = std::fma(v, epilogue.scale.value_or(1), c);
      if (epilogue.bias) v += (*epilogue.bias)(0, j);
      values(i, j) = v;
    }
}

float amax(const Matrix& values) {
  float largest = 0;
  for (float v : values.values) largest = std::fmax(largest, std::abs(v));
  return largest;
}

Tensor encode_scaled(DType type, Matrix values, float output_scale) {
  for (float& v : values.values) v *= output_scale;
  return encode(type, values);
}

}  // namespace lockstep
