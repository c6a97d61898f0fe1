// What a reader of text may do with any text at all: take it, and then what it has read is printed and read again the
// same; or refuse it, in one sentence of at most `longest_sentence` printable characters. Never another exception, and
// within the time; that it touches no memory but its own is for the sanitizers to see, under which main.cpp runs it.
#pragma once

#include "property_tests/fuzz/mutate.h"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace lockstep {

struct Reader {
  std::string_view name;
  std::vector<std::string> valid{};  // of our own printers: every one is taken
  // Throws a Refusal, or a Wrong where what it has read does not come back.
  std::function<void(const std::string& text)> read;
  std::function<std::string(const std::string& text, const std::string& other, Random&)> spoil = mutated;
};

struct Wrong : std::logic_error {
  using std::logic_error::logic_error;
};

struct Finding {
  Index number = 0;
  std::string input, what;
};

inline constexpr std::size_t longest_sentence = 1000;
inline constexpr double longest_seconds = 5;  // of one input

// Input `number` of a seed: first each that is valid, as it is, then spoilt ones.
std::string input_of(const Reader& reader, std::uint64_t seed, Index number);

// Of all inputs so far.
struct Counts {
  Index taken = 0, refused = 0;
};

// What is wrong with what the reader does with input `number`; none: nothing.
std::optional<Finding> look_at(const Reader& reader, std::uint64_t seed, Index number, Counts& counts);

}  // namespace lockstep
