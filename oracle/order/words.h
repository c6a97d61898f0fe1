// What a part of a summation tree is called (print.h), from what its own parts are called.
#pragma once

#include "reference/contract/partition.h"

#include <string>
#include <string_view>

namespace lockstep {

using Labels = std::vector<Range>;

// What a subtree is called: its labels and how they are added; or, where it is irregular, one expression.
struct Words {
  Labels labels;
  std::string how{};         // empty: a single term
  std::string expression{};  // empty: regular
  Index step = 0;            // labels added at a time, 0: otherwise
  bool flat = false;         // one node

  std::string text() const;
};

// "a + b + c", cut in the middle where it is long; `around` is empty or a pair of brackets.
Words expression(const std::vector<Words>& parts, std::string_view between, std::string_view around);

// Terms added at once.
Words flat(const Labels& some);

// Steps that each add terms to the sum so far: the first may be a sum itself.
Words chain_of_terms(const Words& first, const std::vector<Labels>& steps);

// Parts that are sums themselves; `order` says more of the order in which they are added.
Words in_parts(const std::vector<Words>& parts, std::string_view order);

}  // namespace lockstep
