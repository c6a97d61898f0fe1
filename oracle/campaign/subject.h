// What a campaign judges: our own fused programs, or somebody else's kernel (oracle/kernel/kernel_subject.h).
#pragma once

#include "oracle/campaign/draw.h"
#include "oracle/diagnosis/failure.h"

#include <functional>
#include <limits>

namespace lockstep {

struct CaseResult {
  Case a_case;
  Verdict verdict;
  std::string blind_to;  // the fault that an agreeing case would not have shown
  double reference_seconds = 0;
  Index unsupported = 0;  // cases that were drawn before it and that the subject does not support
};

struct Subject {
  std::string kernel{};  // the library that it is in; "": it is ours

  // A random case. `turn`: another, where that of the turn before was not supported; `attempt`: other data. None: this
  // turn has none. Nothing of the subject's own runs here.
  std::function<std::optional<Case>(std::uint64_t seed, Index number, Index turn, Index attempt, const Fixed&)> drawn;
  std::function<bool(const Case&)> supports;
  std::function<CaseResult(const Case&)> judged;
  // A failure made small and explained; it may run the subject again.
  std::function<Failure(const CaseResult&)> understood;
  Index most_understood = std::numeric_limits<Index>::max();  // of the same outcome by the same judge
};

Subject our_programs();

// The verdict on our program of a case, with the case's own fault.
CaseResult run_case(const Case& a_case);

// Whether a case that agreed could have failed: else it is blind.
void look_for_blindness(CaseResult& result, const Prepared& prepared);

// A failure as it was seen, with this in place of an explanation.
Failure as_seen(const CaseResult& result, const std::string& sentence);

}  // namespace lockstep
