#include "oracle/campaign/repeat.h"

#include "oracle/faults/strike.h"
#include "oracle/judges/stopwatch.h"

namespace lockstep {

Case moved_on(Case a_case, Index number) {
  for (Call& call : a_case.calls)
    if (takes_seed(call.executor.kind)) call.executor.seed += static_cast<std::uint64_t>(number);
  return a_case;
}

Repeated repeat(const Case& a_case, const RepeatOptions& options) {
  const Stopwatch stopwatch;
  Prepared prepared = prepare(a_case);
  const Program program = struck(prepared.correct, strike_of(a_case));
  Repeated repeated;
  while (repeated.rate.runs < options.runs && stopwatch.seconds() < options.most_seconds) {
    prepared.a_case = moved_on(a_case, repeated.rate.runs++);
    Verdict verdict = options.judged(prepared, program);
    if (!verdict.failed()) continue;
    if (++repeated.rate.failed == 1) repeated.first = prepared.a_case, repeated.verdict = std::move(verdict);
    if (options.until_it_fails) break;
  }
  repeated.seconds = stopwatch.seconds();
  return repeated;
}

}  // namespace lockstep
