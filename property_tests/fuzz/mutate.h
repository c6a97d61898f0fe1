// Text spoilt as files and command lines are: a bit, a byte, a range, a word or a number is another, lost, moved or
// twice; the end is missing; brackets are never closed. What it is made of stands in the text itself and in another of
// the same kind, so that much of it still looks right to a parser.
#pragma once

#include "oracle/inputs/random.h"

#include <string>

namespace lockstep {

inline constexpr std::size_t longest_text = std::size_t{1} << 19;

// Any number from 0 to one less; 0 of none.
std::size_t below(std::size_t count, Random& random);

// One to six changes.
std::string mutated(std::string text, const std::string& other, Random& random);

// A number that parsers trip over, in characters: 0, -0, 2^63, 1e999, a thousand digits.
std::string odd_number(Random& random);

}  // namespace lockstep
