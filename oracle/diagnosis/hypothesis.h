// What a wrong value may be, as words and a predicate on elements.
//
// Nothing here knows how the output was made: only what it should be, the inputs, and what it is.
#pragma once

#include "oracle/diagnosis/evidence.h"

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

}  // namespace lockstep
