#include "reference/contract/tensor.h"

#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

std::size_t offset_of(const Tensor& tensor, Index i, Index j) {
  CHECK(i >= 0 && i < tensor.rows && j >= 0 && j < tensor.cols, "an element outside its tensor");
  return static_cast<std::size_t>((i * tensor.cols + j) * bytes_of(tensor.dtype));
}

}  // namespace

Index byte_count(DType type, Index rows, Index cols) {
  Index elements = 0, bytes = 0;
  if (rows < 0 || cols < 0 || __builtin_mul_overflow(rows, cols, &elements) ||
      __builtin_mul_overflow(elements, bytes_of(type), &bytes))
    refuse("a {} matrix of {} x {} has no size in bytes: its sides must not be negative, nor their product pass 2^63",
           name(type), rows, cols);
  return bytes;
}

Tensor poisoned(DType type, Index rows, Index cols) {
  const auto bytes = static_cast<std::size_t>(byte_count(type, rows, cols));
  return {type, rows, cols, std::vector<std::byte>(bytes, std::byte{0xFF})};
}

std::uint32_t code_at(const Tensor& tensor, Index i, Index j) {
  return load_code(tensor.dtype, tensor.bytes.data() + offset_of(tensor, i, j));
}

void set_code(Tensor& tensor, Index i, Index j, std::uint32_t code) {
  store_code(tensor.dtype, tensor.bytes.data() + offset_of(tensor, i, j), code);
}

Matrix decode(const Tensor& tensor) {
  Matrix values(tensor.rows, tensor.cols);
  const std::byte* from = tensor.bytes.data();
  for (float& value : values.values) {
    value = decode(tensor.dtype, load_code(tensor.dtype, from));
    from += bytes_of(tensor.dtype);
  }
  return values;
}

Tensor encode(DType type, const Matrix& values) {
  Tensor tensor = poisoned(type, values.rows, values.cols);
  std::byte* to = tensor.bytes.data();
  for (float value : values.values) {
    store_code(type, to, encode(type, value));
    to += bytes_of(type);
  }
  return tensor;
}

}  // namespace lockstep
