#include "oracle/judges/judge.h"

#include "fused/host/provenance.h"
#include "fused/plan/malformed.h"
#include "fused/plan/print.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

Verdict failure(Outcome outcome, std::string judge, std::string finding, Comparison comparison = {}) {
  return {outcome, std::move(judge), std::move(comparison), std::move(finding), 0};
}

std::string describe(const Program& program, const Blocked& blocked) {
  const Plan& plan = program.calls[static_cast<std::size_t>(blocked.step.call)];
  const Counter& counter = plan.counters[static_cast<std::size_t>(blocked.counter)];
  return fmt::format("call {}, {}: waits for {} of rank {} to reach {}, which stays at {}", blocked.step.call,
                     title(plan, plan.ops[static_cast<std::size_t>(blocked.step.op)]), counter.name, counter.rank,
                     blocked.want, blocked.have);
}

std::string describe(const Program& program, const Walked& walked) {
  std::string all = "the program hangs";
  for (const Blocked& blocked : walked.blocked) all += "; " + describe(program, blocked);
  return all;
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

// A difference of symbols has no codes, but for poison.
void compare_symbols(Comparison& comparison, const Call& call, Difference place, const std::vector<Symbol>& got,
                     const MatrixOf<Symbol>& want) {
  const Origin origin = origin_of(problem_of(call), place.output, place.rank);
  comparison.compared += std::ssize(want.values);
  for (std::size_t e = 0; e < want.values.size(); ++e) {
    if (got[e] == want.values[e]) continue;
    place.row = origin.row + static_cast<Index>(e) / want.cols;
    place.col = origin.col + static_cast<Index>(e) % want.cols;
    place.got = got[e] == poison_symbol ? ~std::uint32_t{0} : 0;
    comparison.add(call, place);
  }
}

Verdict judge_provenance(const Prepared& prepared, const Program& program) {
  Comparison comparison = compare_provenance(prepared, program);
  if (comparison.differing > 0)
    return failure(Outcome::disagree, "provenance",
                   "what reached the output is not what the layer says: " + describe(comparison), comparison);
  return {is_empty(prepared.a_case) ? Outcome::empty : Outcome::agree, "provenance", std::move(comparison), "", 0};
}

Verdict judge_values(const Prepared& prepared, const Program& program) {
  const Observed observed = observe(prepared, program, prepared.a_case.first().executor);
  if (!observed.walked.finished) return failure(Outcome::hang, "hang", describe(program, observed.walked));
  if (!observed.broken_guards.empty()) return failure(Outcome::disagree, "memory", observed.broken_guards.front());
  if (observed.inputs_changed) return failure(Outcome::disagree, "memory", "an input was changed");
  Comparison comparison = compare_outputs(prepared, observed);
  if (comparison.differing > 0)
    return failure(Outcome::disagree, value_judge(prepared.a_case), describe(comparison), comparison);
  return {is_empty(prepared.a_case) ? Outcome::empty : Outcome::agree, value_judge(prepared.a_case),
          std::move(comparison), "", observed.seconds};
}

}  // namespace

std::string_view name(Outcome outcome) {
  constexpr std::string_view names[] = {"agree", "disagree", "blind", "empty", "hang"};
  return names[static_cast<std::size_t>(outcome)];
}

Prepared prepare(const Case& a_case) {
  Prepared prepared{a_case, make_inputs(a_case), correct_program(a_case), {}, expected_provenance(a_case), 0};
  const Stopwatch stopwatch;
  prepared.wanted = expected(a_case, prepared.inputs);
  prepared.reference_seconds = stopwatch.seconds();
  return prepared;
}

std::string value_judge(const Case& a_case) {
  const bool exact = std::ranges::all_of(a_case.calls, [](const Call& call) { return is_exact(call.data); });
  return exact ? "exact" : "declared";
}

Observed observe(const Prepared& prepared, const Program& program, const Executor& executor) {
  return observe(program, prepared.inputs, prepared.wanted, executor);
}

Comparison compare_outputs(const Prepared& prepared, const Observed& observed) {
  Comparison comparison;
  for (std::size_t call = 0; call < prepared.wanted.size(); ++call)
    for (const auto& [name, wanted] : prepared.wanted[call])
      for (std::size_t rank = 0; rank < wanted.size(); ++rank)
        compare(comparison, prepared.a_case.calls[call], static_cast<Index>(call), static_cast<Index>(rank), name,
                observed.outputs[call].at(name)[rank], wanted[rank]);
  return comparison;
}

Comparison compare_provenance(const Prepared& prepared, const Program& program) {
  const Provenance observed = provenance(program);
  Comparison comparison;
  for (std::size_t which = 0; which < prepared.wanted_symbols.size(); ++which)
    for (const auto& [name, wanted] : prepared.wanted_symbols[which])
      for (std::size_t rank = 0; rank < wanted.size(); ++rank)
        compare_symbols(comparison, prepared.a_case.calls[which],
                        {static_cast<Index>(which), static_cast<Index>(rank), name},
                        observed.outputs[which].at(name)[rank], wanted[rank]);
  return comparison;
}

Verdict judge(const Prepared& prepared, const Program& program) {
  for (const Plan& plan : program.calls)
    if (const auto finding = malformed(plan)) return failure(Outcome::disagree, "plan", *finding);
  if (prepared.a_case.first().executor.kind == ExecutorKind::provenance) return judge_provenance(prepared, program);
  Verdict by_value = judge_values(prepared, program);
  if (by_value.failed()) return by_value;
  Verdict by_provenance = judge_provenance(prepared, program);
  return by_provenance.failed() ? by_provenance : by_value;
}

Verdict judge(const Case& a_case) {
  const Prepared prepared = prepare(a_case);
  return judge(prepared, struck(prepared.correct, strike_of(a_case)));
}

}  // namespace lockstep
