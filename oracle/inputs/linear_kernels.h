// The outputs of a dumped layer as kernels over its ranks (recorded_linear.h), of a dump that was checked.
#pragma once

#include "oracle/inputs/recorded_ranks.h"

namespace lockstep {

// A dump of a layer while it is read.
struct Linear {
  RecordedReader read;
  Problem problem;
  bool is_row = true;
  bool adds_bias_late = false;
  RecordedLayer said;  // of the arithmetic

  bool has(std::string_view tensor) const { return read.file.find(of_rank(0, tensor)); }
  StoredMatrix matrix(Index rank, std::string_view tensor) const {
    return stored(read.file, {read.file.find(of_rank(rank, tensor))});
  }
  std::optional<StoredMatrix> optional(Index rank, std::string_view tensor) const {
    return has(tensor) ? std::optional(matrix(rank, tensor)) : std::nullopt;
  }
  // The rows of all ranks.
  StoredMatrix gathered(std::string_view tensor) const {
    std::vector<const StoredTensor*> all;
    for (Index rank = 0; rank < problem.tp; ++rank) all.push_back(read.file.find(of_rank(rank, tensor)));
    return stored(read.file, all);
  }
};

StoredLayer forward(const Linear& linear);
StoredLayer input_gradient(const Linear& linear);
StoredLayer weight_gradient(const Linear& linear);
StoredLayer bias_gradient(const Linear& linear);

}  // namespace lockstep
