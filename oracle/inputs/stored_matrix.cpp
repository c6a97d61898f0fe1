#include "oracle/inputs/stored_matrix.h"

#include <algorithm>

namespace lockstep {
namespace {

Tensor turned_over(const Tensor& t) {
  Tensor turned{t.dtype, t.cols, t.rows, std::vector<std::byte>(t.bytes.size())};
  for (Index i = 0; i < t.rows; ++i)
    for (Index j = 0; j < t.cols; ++j) set_code(turned, j, i, code_at(t, i, j));
  return turned;
}

Tensor ones(DType type, Index rows, Index cols) {
  Matrix all(rows, cols);
  std::ranges::fill(all.values, 1.0f);
  return encode(type, all);
}

// The tensors' rows one after the other, of which these.
Tensor gathered(const Safetensors& file, const std::vector<const StoredTensor*>& below, const Range& rows,
                const Range& cols) {
  Tensor all{below.front()->dtype, 0, cols.size(), {}};
  Index begin = 0;
  for (const StoredTensor* one : below) {
    const Range within{std::max(rows.begin - begin, Index{0}), std::min(rows.end - begin, one->rows())};
    begin += one->rows();
    if (within.begin >= within.end) continue;
    const Tensor part = load(file, *one, within, cols);
    all.rows += part.rows;
    all.bytes.insert(all.bytes.end(), part.bytes.begin(), part.bytes.end());
  }
  return all;
}

}  // namespace

Tensor StoredMatrix::load(const Range& part_of_rows, const Range& part_of_cols) const {
  if (below.empty()) return ones(dtype, part_of_rows.size(), part_of_cols.size());
  if (is_transposed) return turned_over(gathered(*file, below, part_of_cols, part_of_rows));
  return gathered(*file, below, part_of_rows, part_of_cols);
}

StoredMatrix stored(const Safetensors& file, std::vector<const StoredTensor*> below) {
  StoredMatrix matrix{&file, std::move(below)};
  matrix.dtype = matrix.below.front()->dtype;
  matrix.cols = matrix.below.front()->cols();
  for (const StoredTensor* one : matrix.below) matrix.rows += one->rows();
  return matrix;
}

StoredMatrix transposed(StoredMatrix matrix) {
  matrix.is_transposed = !matrix.is_transposed;
  std::swap(matrix.rows, matrix.cols);
  return matrix;
}

StoredMatrix row_of_ones(DType type, Index cols) { return {nullptr, {}, false, type, 1, cols}; }

}  // namespace lockstep
