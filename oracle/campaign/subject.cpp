#include "oracle/campaign/subject.h"

#include "fused/mpi/team.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/blindness.h"
#include "reference/contract/device_error.h"
#include "reference/contract/quote.h"

#include <fmt/format.h>

namespace lockstep {

void look_for_blindness(CaseResult& result, const Prepared& prepared) {
  const auto fault = blind_to(prepared);
  if (!fault) return;
  result.verdict.outcome = Outcome::blind;
  result.verdict.finding = fmt::format("this case agrees, but would agree with the fault {} too", *fault);
  result.blind_to = *fault;
}

CaseResult run_case(const Case& a_case) try {
  refuse_if_too_large(a_case);
  std::optional<NamedCase> named;
  if (a_case.first().executor.kind == ExecutorKind::mpi) named.emplace(print(a_case));
  CaseResult result{a_case, {}, "", 0};
  const Prepared prepared = prepare(a_case);
  result.reference_seconds = prepared.reference_seconds;
  const Strike strike = strike_of(a_case);
  result.verdict = judge(prepared, struck(prepared.correct, strike));
  if (result.verdict.outcome != Outcome::agree) return result;
  if (strike.fault) {  // without a place for its fault a case tests nothing
    if (most_sites(*strike.fault, prepared.correct) == 0) result.verdict.outcome = Outcome::empty;
    return result;
  }
  look_for_blindness(result, prepared);
  return result;
} catch (const DeviceError& error) {
  throw DeviceError(fmt::format("{} in the case {}", error.what(), in_quotes(print(a_case))));
}

Failure as_seen(const CaseResult& result, const std::string& sentence) {
  Explanation explanation{.kind = std::string(name(result.verdict.outcome)), .where = "", .sentence = sentence};
  return {result.a_case, result.a_case, result.verdict, std::move(explanation)};
}

Subject our_programs() {
  Subject subject;
  subject.drawn = [](std::uint64_t seed, Index number, Index turn, Index attempt, const Fixed& fixed) {
    return turn == 0 ? std::optional(draw_case(seed, number, attempt, fixed)) : std::nullopt;
  };
  subject.supports = [](const Case&) { return true; };
  subject.judged = run_case;
  // What ended its process is not run again.
  subject.understood = [](const CaseResult& result) {
    return result.verdict.judge == "process" ? as_seen(result, result.verdict.finding) : diagnose(result.a_case);
  };
  return subject;
}

}  // namespace lockstep
