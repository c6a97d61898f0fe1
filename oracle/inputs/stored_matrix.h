// A matrix that lies in a file, of which a part is loaded when it is needed.
//
//   one tensor; or several, one below the other (what ranks gather); either as it is or transposed; or a row of ones
//
// All of one type and one number of columns: who makes it has checked.
#pragma once

#include "oracle/inputs/safetensors.h"

namespace lockstep {

struct StoredMatrix {
  const Safetensors* file = nullptr;
  std::vector<const StoredTensor*> below;  // none: ones
  bool is_transposed = false;
  DType dtype = DType::f32;
  Index rows = 0, cols = 0;

  Tensor load(const Range& part_of_rows, const Range& part_of_cols) const;
  Tensor load() const { return load({0, rows}, {0, cols}); }
};

StoredMatrix stored(const Safetensors& file, std::vector<const StoredTensor*> below);
StoredMatrix transposed(StoredMatrix matrix);
// 1 x cols
StoredMatrix row_of_ones(DType type, Index cols);

}  // namespace lockstep
