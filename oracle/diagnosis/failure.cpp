#include "oracle/diagnosis/failure.h"

#include "oracle/diagnosis/shrink.h"
#include "oracle/faults/strike.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

struct Examined {
  Verdict verdict;
  Explanation explanation;
};

Examined examine(const Case& a_case) {
  const Prepared prepared = prepare(a_case);
  const Program program = struck(prepared.correct, strike_of(a_case));
  Verdict verdict = judge(prepared, program);
  Explanation explanation = verdict.failed() ? explain(prepared, program, verdict) : Explanation{};
  return {std::move(verdict), std::move(explanation)};
}

bool fails_like(const Examined& original, const Case& candidate) try {
  const Examined other = examine(candidate);
  return other.verdict.failed() && other.verdict.judge == original.verdict.judge &&
         other.explanation.faults == original.explanation.faults;
} catch (const Refusal&) {
  return false;  // a combination that no case can have
}

}  // namespace

Failure diagnose(const Case& failing) {
  const Examined original = examine(failing);
  CHECK(original.verdict.failed(), "a failure that does not fail again: the run is not deterministic");
  const Case shrunk = shrink(failing, [&](const Case& candidate) { return fails_like(original, candidate); });
  Examined smallest = examine(shrunk);
  return {failing, shrunk, std::move(smallest.verdict), std::move(smallest.explanation)};
}

}  // namespace lockstep
