// Judges what is cut into pieces, each by itself, on all cores; the verdict is that on all of them.
//
// An order of summation counts only if it gives every bit of every piece, and data is exact only if it is so in each.
#pragma once

#include "oracle/judges/recorded/pieces.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

// To the bit, as declared.
RecordedVerdict judge_declared(const Pieces<RecordedGemm>& pieces);
RecordedVerdict judge_declared(const Pieces<RecordedLayer>& pieces);

RecordedVerdict judge_bound(const Pieces<RecordedGemm>& pieces);
RecordedVerdict judge_bound(const Pieces<RecordedLayer>& pieces);

RecordedVerdict judge_freivalds(const Pieces<RecordedGemm>& pieces);

// Where not all is declared: exact; or an order among those known, in words the plainest with a count of the others; or
// bound.
RecordedVerdict judge_undeclared(const Pieces<RecordedGemm>& pieces);
RecordedVerdict judge_undeclared(const Pieces<RecordedLayer>& pieces);
// Of all in one piece.
RecordedVerdict judge_undeclared(const RecordedGemm& recorded);
RecordedVerdict judge_undeclared(const RecordedLayer& recorded);

// At most so many pieces are in memory at a time.
Index pieces_at_a_time();

}  // namespace lockstep
