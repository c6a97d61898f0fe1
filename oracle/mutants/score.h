// The score of the generated mutants: killed / (generated - proved equivalent), over all configurations.
#pragma once

#include "oracle/mutants/trial.h"

#include <span>

namespace lockstep {

struct Tried {
  Index which = 0;  // of the cases
  FieldClass kind = FieldClass::offset;
  Trial trial;
};

struct Survivor {
  Index which = 0;
  std::string mutant;
};

struct MutantScore {
  std::vector<Case> cases;
  std::vector<Tried> tried;
  std::vector<Survivor> survivors;
  double seconds = 0;

  Index generated() const { return std::ssize(tried); }
  Index count(Fate fate) const;
  // Killed of those that are not proved equivalent; 0 where there are none.
  double ratio() const;
  double ratio_of_well_formed() const;  // of those that the judge `plan` does not kill
  bool passes() const { return ratio() >= least_ratio; }
  Index median_cases() const;  // of the killed
  double median_seconds() const;

  static constexpr double least_ratio = 0.995;
};

// What is tried, of each configuration: every `sample`-th mutant.
struct MutantScope {
  std::vector<Index> groups;  // of these numbers of ranks (configurations.h)
  Index sample = 1;
};

MutantScore score_mutants(const MutantScope& scope, Index threads);

// The mutants of one configuration, added to the score.
void try_mutants(MutantScore& score, const Bench& bench, std::span<const Mutant> mutants, Index threads);

}  // namespace lockstep
