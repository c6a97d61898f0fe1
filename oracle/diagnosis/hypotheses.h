// The hypotheses that decode.h holds against the outputs of a case.
#pragma once

#include "oracle/diagnosis/hypothesis.h"
#include "oracle/diagnosis/moved.h"
#include "oracle/diagnosis/terms.h"

namespace lockstep {

// Zero, negated, times a constant: of any data.
Hypotheses by_factor(const Evidence& evidence);
// The same, never written, left over from a call before.
Hypotheses by_value(const Prepared& prepared, const Evidence& evidence);
// Rows that hold other rows, columns other columns, in runs: of any data; with terms, of one term alone.
Hypotheses by_place(const Prepared& prepared, const Evidence& evidence, const Terms* terms);

// Terms missing, twice, alone, one in place of another.
Hypotheses by_term(const Evidence& evidence, const Terms& terms);
// Terms, or their operands, of a call before: `before` are the terms of call `which`.
Hypotheses by_call(const Evidence& evidence, const Terms& terms, Index which, const Terms& before);
// Parts of the contraction missing or twice.
Hypotheses by_block(const Prepared& prepared, const Evidence& evidence, const Terms& terms);
// On an FP8 wire, in the first call: parts that are decoded by another rank's scale, or by none.
Hypotheses by_wire(const Prepared& prepared, const Evidence& evidence, const Terms& terms);
// Block scales of other blocks or rows.
Hypotheses by_scale(const Prepared& prepared, const Evidence& evidence, const Terms& terms);

}  // namespace lockstep
