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

void add(Hypotheses& all, Hypotheses more) { std::ranges::move(more, std::back_inserter(all)); }

// That the output is what its terms add up to; else nothing can be made of them.
bool add_up(const Evidence& evidence, const Terms& terms) {
  return std::ranges::all_of(evidence.held, [&](const Held& held) {
    return std::ranges::all_of(held.elements, [&](const Element& e) {
      const float value = round_to(evidence.type, static_cast<float>(terms.value(e.rank, e.row, e.col)));
      return value == e.want || std::abs(value - e.want) <= e.noise;
    });
  });
}

Where where_in(const Case& a_case, const Evidence& evidence) {
  return [&](const std::vector<const Element*>& elements) {
    const Call& call = a_case.calls[static_cast<std::size_t>(evidence.call)];
    Comparison places;
    for (const Element* e : elements)
      places.add(call, {evidence.call, e->rank, evidence.output, e->row, e->col, evidence.type, 0, 1});
    return where(a_case, places);
  };
}

std::vector<Reading> readings_of(const Prepared& prepared, const Evidence& evidence) {
  const Where places = where_in(prepared.a_case, evidence);
  Hypotheses all = by_value(prepared, evidence);
  auto terms = terms_of(prepared, evidence.call, evidence.output);
  if (terms && !add_up(evidence, *terms)) terms.reset();
  add(all, by_place(prepared, evidence, terms ? &*terms : nullptr));
  if (!terms) return readings_by(evidence, all, places);
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
  return readings_by(evidence, all, places);
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

}  // namespace lockstep
