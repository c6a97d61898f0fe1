// One plan with all its mutants tried: each is put in the place of the plan in both of two calls, killed, proved
// equivalent, or survives.
//
// Killed by
//
//   plan             the mutated plan is wrong on its face (fused/plan/malformed.h)
//   hang             a wait never ends
//   hazards          a conflict is left to timing (conflicts.h)
//   memory           a guard zone or an input was written to
//   exact, declared  an output differs, on the first of the cases that shows it
//
// A mutant that only reorders is asked for hazards first; any other is run on the first case before, and on the others
// after, unless it is proved equivalent.
//
// Provenance kills nothing: it only proves. Equivalent by:
//
//   normal form      the same but for what a normal form does not count (normal_form.h)
//   same order       the same operations, no hang, and every conflicting pair ordered as before
//   same provenance  no hang, no hazard, and the same reached every output of both calls
#pragma once

#include "fused/host/provenance.h"
#include "oracle/judges/prepared.h"
#include "oracle/mutants/conflicts.h"

namespace lockstep {

enum class Fate { killed, equivalent, survives };

struct Trial {
  Fate fate = Fate::survives;
  std::string_view by{};  // the judge that killed it, the proof that it is equivalent
  Index cases = 0;        // data drawn up to the first that shows it
  double seconds = 0;
};

inline constexpr std::string_view killing_judges[] = {"plan", "hang", "hazards", "memory", "exact", "declared"};
inline constexpr std::string_view equivalence_proofs[] = {"normal form", "same order", "same provenance"};

// The cases that the mutants of a plan are shown, in this order. Of one call, which is made twice.
std::vector<Prepared> shown_cases(const Case& a_case);

class Bench {
 public:
  // Cases of two equal calls that differ in data and types alone. The plan is that of the first.
  explicit Bench(std::vector<Prepared> cases);

  const Plan& plan() const { return plan_; }
  const std::vector<Prepared>& cases() const { return cases_; }
  Trial try_out(const Mutant& mutant) const;

 private:
  Trial judge(const Mutant& mutant) const;
  Trial judge_order(const Program& program, const Mutant& mutant) const;
  Trial judge_values(const Program& program, const Mutant& mutant) const;
  std::string_view seen_by(const Prepared& prepared, const Program& program) const;

  std::vector<Prepared> cases_;
  Plan plan_;
  Pairs ordered_;
  std::vector<SymbolsByName> provenance_;
};

}  // namespace lockstep
