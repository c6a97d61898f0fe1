// Judges a recording, or a piece of it, with everything about the order of its sums withheld: every element within what
// any correct sum may err (bounded_gemm.h, bounded_layer.h).
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/inputs/recorded_layer.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

RecordedVerdict judge_bound(const RecordedGemm& recorded);
RecordedVerdict judge_bound(const RecordedLayer& recorded);

// Whether any element has a bound, else a Refusal; and what the judge was, once all pieces are added up.
void conclude_bound(RecordedVerdict& verdict);

// The same of outputs against bounds made before.
RecordedVerdict judge_bound(const RecordedOutputs& got, const std::vector<MatrixOf<Bounded>>& wanted);

}  // namespace lockstep
