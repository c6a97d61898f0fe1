#include "property_tests/fuzz/fuzz.h"

#include "oracle/judges/stopwatch.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

bool is_valid(const Reader& reader, Index number) { return number < std::ssize(reader.valid); }

std::string wrong_with(std::string_view sentence) {
  if (sentence.empty()) return "it is refused without a word";
  if (sentence.size() > longest_sentence) return fmt::format("the refusal has {} characters", sentence.size());
  const auto is_odd = [](char c) { return c < ' ' || c > '~'; };
  return std::ranges::any_of(sentence, is_odd) ? fmt::format("the refusal is not printable: {}", sentence) : "";
}

// "" where it was taken or refused as it should be.
std::string wrong_reading(const Reader& reader, const std::string& input, bool must_be_taken, Counts& counts) try {
  reader.read(input);
  ++counts.taken;
  return "";
} catch (const Refusal& refusal) {
  ++counts.refused;
  return must_be_taken ? fmt::format("a valid text is refused: {}", refusal.what()) : wrong_with(refusal.what());
} catch (const Wrong& wrong) {
  return wrong.what();
} catch (const std::exception& error) {
  return fmt::format("an exception that is no refusal: {}", error.what());
}

}  // namespace

std::string input_of(const Reader& reader, std::uint64_t seed, Index number) {
  if (is_valid(reader, number)) return reader.valid[static_cast<std::size_t>(number)];
  Random random(seed, number);
  const std::string &text = random.one_of(reader.valid), &other = random.one_of(reader.valid);
  return reader.spoil(text, other, random);
}

std::optional<Finding> look_at(const Reader& reader, std::uint64_t seed, Index number, Counts& counts) {
  const std::string input = input_of(reader, seed, number);
  const Stopwatch stopwatch;
  std::string wrong = wrong_reading(reader, input, is_valid(reader, number), counts);
  const double seconds = stopwatch.seconds();
  if (wrong.empty() && !(seconds <= longest_seconds)) wrong = fmt::format("it takes {:.1f} s", seconds);
  if (wrong.empty()) return {};
  return Finding{number, input, wrong};
}

}  // namespace lockstep
