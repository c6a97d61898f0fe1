#include "oracle/judges/judge.h"

#include "oracle/faults/strike.h"
#include "oracle/hazards/hang.h"
#include "oracle/hazards/hazards.h"
#include "oracle/judges/judge_outputs.h"
#include "oracle/judges/relations.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

Verdict failure(Outcome outcome, std::string judge, std::string finding, Comparison comparison = {}) {
  return {outcome, std::move(judge), std::move(comparison), std::move(finding), 0};
}

std::string describe(const Comparison& comparison) {
  return fmt::format("{} of {} elements differ{}", comparison.differing, comparison.compared,
                     comparison.poisoned == 0 ? "" : fmt::format(", {} of them never written", comparison.poisoned));
}

bool is_empty(const Case& a_case) {
  return std::ranges::all_of(a_case.calls, [](const Call& call) {
    return call.tokens == 0 || (call.out == 0 && (!call.is_backward() || call.in == 0));
  });
}

Verdict judge_provenance(const Prepared& prepared, const Program& program) {
  Comparison comparison = compare_provenance(prepared, program);
  if (comparison.differing > 0)
    return failure(Outcome::disagree, "provenance",
                   "what reached the output is not what the layer says: " + describe(comparison), comparison);
  return {is_empty(prepared.a_case) ? Outcome::empty : Outcome::agree, "provenance", std::move(comparison), "", 0};
}

// Changed cases have the fault of the case, at the site that they choose.
Verdict judge_relations(const Prepared& prepared, const Program& program, double seconds) {
  RelationFinding found = broken_relation(prepared.a_case, prepared.inputs, [&](const Case& asked) {
    return asked == prepared.a_case ? program : program_of(asked);
  });
  if (!found.holds()) return failure(Outcome::disagree, "relations", found.sentence, std::move(found.comparison));
  const bool empty = found.comparison.compared == 0;
  return {empty ? Outcome::empty : Outcome::agree, "relations", std::move(found.comparison), "", seconds};
}

Verdict judge_observed(const Prepared& prepared, const Program& program, const Observed& observed) {
  if (!observed.walked.finished) return failure(Outcome::hang, "hang", describe_hang(program, observed.walked));
  if (memory_finding(observed) || value_judge(prepared.a_case) != "relations") return judge_outputs(prepared, observed);
  return judge_relations(prepared, program, observed.seconds);
}

Verdict judge_values(const Prepared& prepared, const Program& program) {
  const Observed observed = observe(prepared, program, prepared.a_case.first().executor);
  Verdict verdict = judge_observed(prepared, program, observed);
  if (observed.walked.finished) verdict.outputs = hash_of_outputs(observed);
  return verdict;
}

}  // namespace

Verdict judge_outputs(const Prepared& prepared, const Observed& observed) {
  if (const auto finding = memory_finding(observed)) return failure(Outcome::disagree, "memory", *finding);
  Comparison comparison = compare_outputs(prepared, observed);
  if (comparison.differing > 0)
    return failure(Outcome::disagree, value_judge(prepared.a_case), describe(comparison), comparison);
  if (comparison.unjudged > 0 && comparison.unjudged == comparison.compared)
    return failure(Outcome::blind, "bound", "no element has a bound: a float may overflow in some order", comparison);
  return {is_empty(prepared.a_case) ? Outcome::empty : Outcome::agree, value_judge(prepared.a_case),
          std::move(comparison), "", observed.seconds};
}

std::string_view name(Outcome outcome) {
  constexpr std::string_view names[] = {"agree", "disagree", "blind", "empty", "hang", "crash", "failed"};
  return names[static_cast<std::size_t>(outcome)];
}

Verdict judge_plan(const Program& program) {
  const auto found = hazards(repeated(program), 1);
  if (found.empty()) return {Outcome::agree, "hazards", {}, "", 0};
  const Hazard& hazard = found.front();
  if (hazard.kind == HazardKind::malformed) return failure(Outcome::disagree, "plan", hazard.sentence);
  if (hazard.kind == HazardKind::deadlock) return failure(Outcome::hang, "hang", hazard.sentence);
  return failure(Outcome::disagree, "hazards", fmt::format("{}: {}", name(hazard.kind), hazard.sentence));
}

Verdict judge_run(const Prepared& prepared, const Program& program) {
  if (prepared.a_case.first().executor.kind == ExecutorKind::provenance) return judge_provenance(prepared, program);
  Verdict by_value = judge_values(prepared, program);
  if (by_value.failed()) return by_value;
  Verdict by_provenance = judge_provenance(prepared, program);
  by_provenance.outputs = by_value.outputs;
  return by_provenance.failed() ? by_provenance : by_value;
}

Verdict judge(const Prepared& prepared, const Program& program) {
  const Verdict of_plan = judge_plan(program);
  return of_plan.failed() ? of_plan : judge_run(prepared, program);
}

Verdict judge(const Case& a_case) {
  const Prepared prepared = prepare(a_case);
  return judge(prepared, struck(prepared.correct, strike_of(a_case)));
}

}  // namespace lockstep
