#include "oracle/diagnosis/decode.h"

#include "oracle/diagnosis/hypotheses.h"
#include "oracle/diagnosis/where.h"
#include "oracle/judges/of_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

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

Reading read(const Prepared& prepared, const Evidence& evidence, const Hypothesis& hypothesis) {
  const Call& call = prepared.a_case.calls[static_cast<std::size_t>(evidence.call)];
  Reading reading{hypothesis.words, evidence.output, "", evidence.call, 0, evidence.differing, 0, hypothesis.cost};
  Comparison places;
  for (const Held& held : evidence.held) {
    std::vector<const Element*> explained;
    for (const Element& e : held.elements)
      if (e.differs && hypothesis.holds(e)) explained.push_back(&e);
    for (const Element* e : explained)
      places.add(call, {evidence.call, e->rank, evidence.output, e->row, e->col, evidence.type, 0, 1});
    reading.against += against(held, hypothesis, explained);
  }
  reading.explains = places.differing;
  reading.where = where(prepared.a_case, places);
  return reading;
}

void add(Hypotheses& all, Hypotheses more) { std::ranges::move(more, std::back_inserter(all)); }

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
std::vector<Reading> worthwhile(const Prepared& prepared, const Evidence& evidence, const Hypotheses& hypotheses) {
  std::vector<Reading> readings;
  const auto samples = samples_of(evidence);
  std::vector<const Hypothesis*> partial;
  const auto consider = [&](const Hypothesis& hypothesis) {
    Reading reading = read(prepared, evidence, hypothesis);
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

std::vector<Reading> readings_by(const Prepared& prepared, const Evidence& evidence, const Hypotheses& hypotheses) {
  std::vector<Reading> readings = worthwhile(prepared, evidence, hypotheses);
  std::ranges::stable_sort(readings, is_better);
  if (readings.empty()) return readings;
  const auto others = std::ranges::find_if_not(
      readings, [&, first = readings[0]](const Reading& reading) { return explains_as_much(first, reading); });
  const bool is_ambiguous = others - readings.begin() > 1;
  std::for_each(readings.begin(), others, [&](Reading& reading) { reading.is_ambiguous = is_ambiguous; });
  if (readings[0].is_whole()) readings.erase(others, readings.end());
  readings.resize(std::min(readings.size(), most_readings));
  return readings;
}

// That the output is what its terms add up to; else nothing can be made of them.
bool add_up(const Evidence& evidence, const Terms& terms) {
  return std::ranges::all_of(evidence.held, [&](const Held& held) {
    return std::ranges::all_of(held.elements, [&](const Element& e) {
      const float value = round_to(evidence.type, static_cast<float>(terms.value(e.rank, e.row, e.col)));
      return value == e.want || std::abs(value - e.want) <= e.noise;
    });
  });
}

std::vector<Reading> readings_of(const Prepared& prepared, const Evidence& evidence) {
  Hypotheses all = by_value(prepared, evidence);
  auto terms = terms_of(prepared, evidence.call, evidence.output);
  if (terms && !add_up(evidence, *terms)) terms.reset();
  add(all, by_place(prepared, evidence, terms ? &*terms : nullptr));
  if (!terms) return readings_by(prepared, evidence, all);
  add(all, by_term(evidence, *terms));
  add(all, by_block(prepared, evidence, *terms));
  add(all, by_wire(prepared, evidence, *terms));
  add(all, by_scale(prepared, evidence, *terms));
  std::vector<std::unique_ptr<Terms>> before;
  for (Index call = 0; call < evidence.call && evidence.output != "main_grad"; ++call)
    if (auto then = terms_of(prepared, call, evidence.output)) {
      before.push_back(std::make_unique<Terms>(std::move(*then)));
      add(all, by_call(evidence, *terms, call, *before.back()));
    }
  return readings_by(prepared, evidence, all);
}

std::vector<Reading> readings_of_group(const Prepared& prepared, const Observed& observed) {
  std::vector<Reading> readings;
  for (const Evidence& evidence : evidence_of(prepared, observed))
    std::ranges::move(readings_of(prepared, evidence), std::back_inserter(readings));
  return readings;
}

// Each by itself: ranks are those of the group, and which group it is comes with where.
std::vector<Reading> readings_by_group(const Prepared& prepared, const Observed& observed) {
  std::vector<Reading> all;
  const RankLists groups = groups_of(prepared.a_case.first());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto group = static_cast<Index>(g);
    for (Reading& reading : readings_of_group(of_group(prepared, group), of_group(prepared, observed, group))) {
      reading.where += fmt::format(" of group {}, ranks {} of the world", g, fmt::join(groups[g], ", "));
      all.push_back(std::move(reading));
    }
  }
  return all;
}

}  // namespace

std::vector<Reading> decode(const Prepared& prepared, const Observed& observed) {
  std::vector<Reading> readings = is_grouped(prepared.a_case.first()) ? readings_by_group(prepared, observed)
                                                                      : readings_of_group(prepared, observed);
  std::ranges::stable_partition(readings, &Reading::is_whole);
  return readings;
}

std::string print(const Reading& reading, std::string_view of_what) {
  return fmt::format("{} in {} of {} elements{} ({})", reading.words, reading.explains, reading.of, of_what,
                     reading.where);
}

}  // namespace lockstep
