#include "oracle/mutants/score.h"

#include "oracle/campaign/parallel.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/mutants/configurations.h"

#include <algorithm>

namespace lockstep {
namespace {

template <typename Of>
auto median_of_killed(const std::vector<Tried>& tried, const Of& of) {
  std::vector<decltype(of(Trial{}))> values;
  for (const Tried& one : tried)
    if (one.trial.fate == Fate::killed) values.push_back(of(one.trial));
  if (values.empty()) return decltype(of(Trial{})){};
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

double part_of(Index some, Index all) { return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all); }

std::vector<Mutant> every(Index sample, const std::vector<Mutant>& mutants) {
  std::vector<Mutant> some;
  for (std::size_t i = 0; i < mutants.size(); i += static_cast<std::size_t>(sample)) some.push_back(mutants[i]);
  return some;
}

}  // namespace

Index MutantScore::count(Fate fate) const {
  return std::ranges::count_if(tried, [&](const Tried& one) { return one.trial.fate == fate; });
}

double MutantScore::ratio() const { return part_of(count(Fate::killed), generated() - count(Fate::equivalent)); }

double MutantScore::ratio_of_well_formed() const {
  const Index by_plan = std::ranges::count_if(tried, [](const Tried& one) { return one.trial.by == "plan"; });
  return part_of(count(Fate::killed) - by_plan, generated() - count(Fate::equivalent) - by_plan);
}

Index MutantScore::median_cases() const {
  return median_of_killed(tried, [](const Trial& trial) { return trial.cases; });
}

double MutantScore::median_seconds() const {
  return median_of_killed(tried, [](const Trial& trial) { return trial.seconds; });
}

void try_mutants(MutantScore& score, const Bench& bench, std::span<const Mutant> mutants, Index threads) {
  const std::size_t first = score.tried.size();
  const Index which = std::ssize(score.cases);
  score.cases.push_back(bench.cases().front().a_case);
  score.tried.resize(first + mutants.size());
  parallel_for(std::ssize(mutants), threads, [&](Index i) {
    const Mutant& mutant = mutants[static_cast<std::size_t>(i)];
    score.tried[first + static_cast<std::size_t>(i)] = {which, mutant.kind, bench.try_out(mutant)};
  });
  for (std::size_t i = 0; i < mutants.size(); ++i)
    if (score.tried[first + i].trial.fate == Fate::survives)
      score.survivors.push_back({which, describe(bench.plan(), mutants[i])});
}

MutantScore score_mutants(const MutantScope& scope, Index threads) {
  const Stopwatch stopwatch;
  MutantScore score;
  for (Index tp : scope.groups)
    for (const Case& a_case : mutated_cases(tp)) {
      const Bench bench(shown_cases(a_case));
      try_mutants(score, bench, every(scope.sample, mutants_of(bench.plan())), threads);
    }
  score.seconds = stopwatch.seconds();
  return score;
}

}  // namespace lockstep
