// A row or a column of a tensor, value by value.
#pragma once

#include "reference/contract/tensor.h"

namespace lockstep {

// `count` codes, `step` bytes apart.
struct Line {
  DType type;
  const std::byte* from;
  Index step, count;
};

// Row i, or column i where `down`.
inline Line line_of(const Tensor& t, Index i, bool down) {
  const Index size = bytes_of(t.dtype);
  if (down) return {t.dtype, t.bytes.data() + i * size, t.cols * size, t.rows};
  return {t.dtype, t.bytes.data() + i * t.cols * size, size, t.cols};
}

template <DType type, typename F>
void each_of_type(const Line& line, const F& f) {
  const std::byte* from = line.from;
  for (Index k = 0; k < line.count; ++k, from += line.step) f(k, decode(type, load_code(type, from)));
}

// f(k, value) for each value of the line, in a loop of its own for each format.
template <typename F>
void for_each_value(const Line& line, const F& f) {
  switch (line.type) {
    case DType::f32:
      return each_of_type<DType::f32>(line, f);
    case DType::bf16:
      return each_of_type<DType::bf16>(line, f);
    case DType::fp16:
      return each_of_type<DType::fp16>(line, f);
    case DType::e4m3:
      return each_of_type<DType::e4m3>(line, f);
    case DType::e5m2:
      return each_of_type<DType::e5m2>(line, f);
    case DType::e8m0:
      return each_of_type<DType::e8m0>(line, f);
  }
}

}  // namespace lockstep
