#include "oracle/kernel/kernel_judge.h"

#include "oracle/campaign/memory_limit.h"
#include "oracle/judges/judge_outputs.h"
#include "oracle/kernel/in_library.h"
#include "oracle/kernel/kernel_library.h"
#include "oracle/kernel/kernel_problem.h"

#include <algorithm>

namespace lockstep {

bool kernel_supports(const KernelAbout& about, const Case& a_case) {
  const lockstep_kernel& table = load_kernel(about.path);
  return std::ranges::all_of(a_case.calls, [&](const Call& call) {
    const lockstep_problem problem = kernel_problem(about, call);
    return !table.supports || in_library([&] { return table.supports(&problem); }) != 0;
  });
}

Verdict judge_kernel(const Prepared& prepared, const KernelRun& run) {
  if (!run.failure.empty()) return {Outcome::failed, "kernel", {}, run.failure, run.observed.seconds};
  Verdict verdict = judge_outputs(prepared, run.observed);
  verdict.outputs = hash_of_outputs(run.observed);
  return verdict;
}

CaseResult run_kernel_case(const KernelAbout& about, const Case& a_case) {
  refuse_if_too_large(a_case);
  const Prepared whole = prepare(a_case), prepared = for_kernel(whole);
  CaseResult result{a_case, judge_kernel(prepared, run_kernel(about, prepared)), "", prepared.reference_seconds};
  if (result.verdict.outcome == Outcome::agree) look_for_blindness(result, whole);
  return result;
}

}  // namespace lockstep
