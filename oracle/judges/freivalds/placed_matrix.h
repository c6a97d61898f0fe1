// A matrix put together from tensors where they lie, without a copy: each at its place, turned or not. What no tensor
// covers is zero; tensors do not overlap.
#pragma once

#include "reference/contract/tensor.h"

#include <string>

namespace lockstep {

struct PlacedTensor {
  const Tensor* tensor = nullptr;
  Index row = 0, col = 0;   // of its first element
  bool transposed = false;  // the tensor's rows are columns here

  Index rows() const { return transposed ? tensor->cols : tensor->rows; }
  Index cols() const { return transposed ? tensor->rows : tensor->cols; }
  bool covers_row(Index i) const { return row <= i && i < row + rows(); }
  bool covers(Index i, Index j) const { return covers_row(i) && col <= j && j < col + cols(); }
  std::uint32_t code(Index i, Index j) const {
    return transposed ? code_at(*tensor, j - col, i - row) : code_at(*tensor, i - row, j - col);
  }
};

struct PlacedMatrix {
  std::string name;  // for what is said about it
  Index rows = 0, cols = 0;
  std::vector<PlacedTensor> parts;

  // Which part covers the element; -1: none.
  Index part_at(Index i, Index j) const {
    for (std::size_t n = 0; n < parts.size(); ++n)
      if (parts[n].covers(i, j)) return static_cast<Index>(n);
    return -1;
  }
};

// The tensor itself; it must outlive what is made of it.
inline PlacedMatrix placed(std::string name, const Tensor& tensor) {
  return {std::move(name), tensor.rows, tensor.cols, {{&tensor}}};
}

inline PlacedMatrix transposed(PlacedMatrix m) {
  std::swap(m.rows, m.cols);
  for (PlacedTensor& part : m.parts) std::swap(part.row, part.col), part.transposed = !part.transposed;
  return m;
}

}  // namespace lockstep
