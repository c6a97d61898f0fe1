#include "oracle/diagnosis/readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

constexpr Index most_samples = 64, least_share = 4;  // one in so many
constexpr std::size_t most_readings = 16;            // of one output

std::vector<const Element*> samples_of(const Evidence& evidence) {
  std::vector<const Element*> samples;
  const Index stride = (evidence.differing + most_samples - 1) / most_samples;
  Index n = 0;
  for (const Held& held : evidence.held)
    for (const Element& e : held.elements)
      if (e.differs && n++ % stride == 0) samples.push_back(&e);
  return samples;
}

// How many of the samples it explains: cheap, and most hypotheses end here.
Index hits(const Hypothesis& hypothesis, const std::vector<const Element*>& samples) {
  return std::ranges::count_if(samples, [&](const Element* e) { return hypothesis.holds(*e); });
}

// The right elements that it says are wrong, in the rows and columns in which it explains something.
Index against(const Held& held, const Hypothesis& hypothesis, const std::vector<const Element*>& explained) {
  std::set<Index> rows, cols;
  for (const Element* e : explained) rows.insert(e->row), cols.insert(e->col);
  Index count = 0;
  for (Index row : rows)
    for (Index col : cols)
      if (const Element& e = held.at(row, col); !e.differs && !hypothesis.holds(e)) ++count;
  return count;
}

Reading read(const Evidence& evidence, const Hypothesis& hypothesis, const Where& where) {
  Reading reading{hypothesis.words, evidence.output, "", evidence.call, 0, evidence.differing, 0, hypothesis.cost};
  std::vector<const Element*> all;
  for (const Held& held : evidence.held) {
    std::vector<const Element*> explained;
    for (const Element& e : held.elements)
      if (e.differs && hypothesis.holds(e)) explained.push_back(&e);
    reading.against += against(held, hypothesis, explained);
    all.insert(all.end(), explained.begin(), explained.end());
  }
  reading.explains = std::ssize(all);
  if (!all.empty()) reading.where = where(all);
  return reading;
}

bool is_better(const Reading& a, const Reading& b) {
  const auto order = [](const Reading& r) { return std::tuple(-(r.explains - r.against), r.cost); };
  return order(a) < order(b);
}

bool explains_as_much(const Reading& a, const Reading& b) { return a.explains - a.against == b.explains - b.against; }

// A reading of a part must not have been fitted to it: what supposes much must explain more.
bool is_worth_saying(const Reading& reading) {
  if (reading.explains == 0 || reading.against >= reading.explains) return false;
  return reading.is_whole() || (reading.explains * least_share >= reading.of && reading.explains >= 4 * reading.cost);
}

// Of the hypotheses that explain all samples; of those that explain some only where none of them explains everything.
std::vector<Reading> worthwhile(const Evidence& evidence, const Hypotheses& hypotheses, const Where& where) {
  std::vector<Reading> readings;
  const auto samples = samples_of(evidence);
  std::vector<const Hypothesis*> partial;
  const auto consider = [&](const Hypothesis& hypothesis) {
    Reading reading = read(evidence, hypothesis, where);
    if (is_worth_saying(reading)) readings.push_back(std::move(reading));
  };
  for (const Hypothesis& hypothesis : hypotheses) {
    const Index explained = hits(hypothesis, samples);
    if (explained == std::ssize(samples))
      consider(hypothesis);
    else if (explained * 2 * least_share >= std::ssize(samples))
      partial.push_back(&hypothesis);
  }
  if (std::ranges::none_of(readings, &Reading::is_whole))
    for (const Hypothesis* hypothesis : partial) consider(*hypothesis);
  return readings;
}

// Of hypotheses that come from several sides and say the same, the one that supposes least.
void say_once(std::vector<Reading>& sorted) {
  std::set<std::string> said;
  std::erase_if(sorted, [&](const Reading& reading) { return !said.insert(reading.words).second; });
}

}  // namespace

std::vector<Reading> readings_by(const Evidence& evidence, const Hypotheses& hypotheses, const Where& where) {
  std::vector<Reading> readings = worthwhile(evidence, hypotheses, where);
  std::ranges::stable_sort(readings, is_better);
  say_once(readings);
  if (readings.empty()) return readings;
  const auto others = std::ranges::find_if_not(
      readings, [&, first = readings[0]](const Reading& reading) { return explains_as_much(first, reading); });
  const bool is_ambiguous = others - readings.begin() > 1;
  std::for_each(readings.begin(), others, [&](Reading& reading) { reading.is_ambiguous = is_ambiguous; });
  if (readings[0].is_whole()) readings.erase(others, readings.end());
  readings.resize(std::min(readings.size(), most_readings));
  return readings;
}

std::string print(const Reading& reading, std::string_view of_what) {
  return fmt::format("{} in {} of {} elements{} ({})", reading.words, reading.explains, reading.of, of_what,
                     reading.where);
}

}  // namespace lockstep
