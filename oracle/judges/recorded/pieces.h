// What is recorded, cut into pieces that fit memory, each a block of one rank's output with the rows and columns of the
// operands that it is made of. A whole that fits is one piece, with all ranks.
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/inputs/recorded_layer.h"

#include <functional>

namespace lockstep {

inline constexpr double usual_memory = 0x1p30;  // bytes

template <typename Recorded>
struct Pieces {
  Index count = 0;
  std::function<Recorded(Index)> load;
};

// About so many bytes at the most for all that is done at a time. Refuses a sum so long that one element of the output
// needs more. They refer to what they are made from.
Pieces<RecordedGemm> pieces_of(const StoredGemm& gemm, double most_bytes);
// The same for a judge that makes nothing of the codes but sums: pieces as large as their codes allow, since what it
// reads grows with their number.
Pieces<RecordedGemm> pieces_of_codes(const StoredGemm& gemm, double most_bytes);
Pieces<RecordedLayer> pieces_of(const StoredLayer& layer, double most_bytes);

// The piece, smaller than that, in which an element of a tensor lies.
RecordedGemm piece_with(const StoredGemm& gemm, double most_bytes, Index row, Index col);
RecordedLayer piece_with(const StoredLayer& layer, double most_bytes, std::string_view tensor, Index row, Index col);

}  // namespace lockstep
