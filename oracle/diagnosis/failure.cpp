#include "oracle/diagnosis/failure.h"

#include "oracle/diagnosis/examine.h"
#include "oracle/diagnosis/shrink.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/stopwatch.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

constexpr double most_seconds = 20;  // of shrinking; what is smallest by then is what is shown

bool fails_like(const Examined& original, const Case& candidate) try {
  validate(candidate);
  const Prepared prepared = prepare(candidate);
  const Program program = struck(prepared.correct, strike_of(candidate));
  const Verdict verdict = judge(prepared, program);
  if (!verdict.failed() || verdict.judge != original.verdict.judge) return false;
  const std::string likeliest = likeliest_of(original);
  return likeliest.empty() || is_explained_by(likeliest, prepared, program);
} catch (const Refusal&) {
  return false;  // a combination that no case can have
}

}  // namespace

Failure diagnose(const Case& failing) {
  const Examined original = examine(failing);
  CHECK(original.verdict.failed(), "a failure that does not fail again: the run is not deterministic");
  const Stopwatch stopwatch;
  const Case shrunk = shrink(failing, [&](const Case& candidate) {
    return stopwatch.seconds() < most_seconds && fails_like(original, candidate);
  });
  Examined smallest = examine(shrunk, likeliest_of(original));
  smallest.explanation.readings = original.explanation.readings;
  smallest.explanation.patterns = original.explanation.patterns;
  return {failing, shrunk, std::move(smallest.verdict), std::move(smallest.explanation)};
}

}  // namespace lockstep
