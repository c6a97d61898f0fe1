// A row-major matrix of codes of one format, and a matrix of numbers: floats, or the symbols of symbol.h.
//
//   element (i, j) of an r x c Tensor stands at bytes [(i c + j) bytes_of(dtype), ...)
#pragma once

#include "reference/contract/dtype.h"

#include <cstddef>
#include <cstring>
#include <vector>

namespace lockstep {

// rows * cols * bytes_of(type), or a Refusal where that is negative or does not fit 63 bits.
Index byte_count(DType type, Index rows, Index cols);

struct Tensor {
  DType dtype = DType::f32;
  Index rows = 0;
  Index cols = 0;
  std::vector<std::byte> bytes;

  bool operator==(const Tensor&) const = default;
};

template <typename Number>
struct MatrixOf {
  Index rows = 0;
  Index cols = 0;
  std::vector<Number> values;

  MatrixOf() = default;
  MatrixOf(Index r, Index c) : rows(r), cols(c), values(static_cast<std::size_t>(r * c)) {}
  Number& operator()(Index i, Index j) { return values[static_cast<std::size_t>(i * cols + j)]; }
  const Number& operator()(Index i, Index j) const { return values[static_cast<std::size_t>(i * cols + j)]; }
  Number* row(Index i) { return values.data() + i * cols; }
  const Number* row(Index i) const { return values.data() + i * cols; }
  bool operator==(const MatrixOf&) const = default;
};

using Matrix = MatrixOf<float>;

template <typename Number>
MatrixOf<Number> transposed(const MatrixOf<Number>& m) {
  MatrixOf<Number> t(m.cols, m.rows);
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j) t(j, i) = m(i, j);
  return t;
}

// Filled with poison: every code all ones, a NaN in every format.
Tensor poisoned(DType type, Index rows, Index cols);

inline std::uint32_t load_code(DType type, const std::byte* at) {
  std::uint32_t code = 0;
  std::memcpy(&code, at, static_cast<std::size_t>(bytes_of(type)));
  return code;
}
inline void store_code(DType type, std::byte* at, std::uint32_t code) {
  std::memcpy(at, &code, static_cast<std::size_t>(bytes_of(type)));
}

std::uint32_t code_at(const Tensor& tensor, Index i, Index j);
void set_code(Tensor& tensor, Index i, Index j, std::uint32_t code);
inline float value_at(const Tensor& tensor, Index i, Index j) { return decode(tensor.dtype, code_at(tensor, i, j)); }

Matrix decode(const Tensor& tensor);
Tensor encode(DType type, const Matrix& values);

}  // namespace lockstep
