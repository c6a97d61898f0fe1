#include "oracle/diagnosis/failure.h"

#include "oracle/diagnosis/reduce.h"

namespace lockstep {
namespace {

// It was seen to fail, but not again.
Failure unrepeated(const Case& failing) {
  Verdict verdict{Outcome::disagree, "once", {}, "it failed once and then no more: let repeat show how often", 0};
  Explanation explanation{.kind = "once", .where = "", .sentence = verdict.finding};
  return {failing, failing, std::move(verdict), std::move(explanation)};
}

}  // namespace

Failure diagnose(const Case& failing) {
  const auto reduced = reduce(failing, {.most_seconds = 20});
  return reduced ? reduced->failure : unrepeated(failing);
}

}  // namespace lockstep
