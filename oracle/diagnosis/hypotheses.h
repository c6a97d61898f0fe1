// What a wrong value may be, as words and a predicate on elements.
//
// Nothing here knows how the output was made: only what it should be, the inputs, and what it is.
#pragma once

#include "oracle/diagnosis/evidence.h"
#include "oracle/diagnosis/terms.h"

#include <functional>

namespace lockstep {

struct Hypothesis {
  std::string words;  // "rank 2 missing"
  Index cost = 1;     // how much it supposes: of two that explain the same, the cheaper is the better
  std::function<bool(const Element&)> holds;  // whether it says exactly what was got
};

using Hypotheses = std::vector<Hypothesis>;

// That the value, rounded to the output's type, is what was got; -0 and +0 are one.
bool is_got(const Element& element, DType type, double value);

template <typename Predict>
Hypothesis says(DType type, Index cost, std::string words, Predict predict) {
  return {std::move(words), cost, [type, predict](const Element& e) { return is_got(e, type, predict(e)); }};
}

// Never written, zero, negated, times a constant, left over from a call before: of any data.
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
