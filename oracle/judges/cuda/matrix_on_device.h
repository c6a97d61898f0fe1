// A matrix in the memory of a device, row-major:  element (i, j) stands at data + (i leading + j) bytes_of(type).
#pragma once

#include "reference/contract/dtype.h"

#include <string>

namespace lockstep {

struct MatrixOnDevice {
  const void* data = nullptr;
  DType type = DType::bf16;
  Index rows = 0, cols = 0;
  Index leading = 0;        // elements from one row to the next
  bool transposed = false;  // to be read as its transpose
};

// As it is read.
inline Index rows_of(const MatrixOnDevice& m) { return m.transposed ? m.cols : m.rows; }
inline Index cols_of(const MatrixOnDevice& m) { return m.transposed ? m.rows : m.cols; }

inline MatrixOnDevice transposed(MatrixOnDevice m) {
  m.transposed = !m.transposed;
  return m;
}

// Its values are whole numbers n of a quantum:  value = n 2^exponent.
struct WholeOnDevice {
  std::string name;  // for what is said about it
  MatrixOnDevice matrix;
  int exponent = 0;
};

inline WholeOnDevice transposed(WholeOnDevice m) {
  m.matrix = transposed(m.matrix);
  return m;
}

// Refuses sizes below 0, a leading dimension shorter than a row, memory that is not given or not aligned to an element,
// and e8m0, a format of scales.
void expect_matrix(const std::string& name, const MatrixOnDevice& matrix);
// And a quantum beyond 2^300 or below 2^-300.
void expect_whole(const WholeOnDevice& whole);

}  // namespace lockstep
