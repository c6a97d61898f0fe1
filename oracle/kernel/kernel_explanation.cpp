#include "oracle/kernel/kernel_explanation.h"

#include "oracle/diagnosis/nearest.h"
#include "oracle/diagnosis/pattern.h"
#include "oracle/faults/fault.h"
#include "oracle/inputs/budget.h"
#include "oracle/kernel/kernel_run.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr double most_seconds_for_faults = 5;

std::optional<Case> on_exact_data(Case a_case) try {
  for (Call& call : a_case.calls) {
    call.data = Data::planted;
    if (call.judge == JudgeChoice::bound) call.judge = JudgeChoice::strongest;
  }
  validate(a_case);
  return has_room(a_case) ? std::optional(a_case) : std::nullopt;
} catch (const Refusal&) {
  return {};
}

}  // namespace

Explanation read_values(const KernelAbout& about, const Case& a_case) {
  Explanation read{.kind = "", .where = ""};
  const auto exact = on_exact_data(a_case);
  if (!exact) return read;
  const Prepared prepared = prepare_for_kernel(*exact);
  const KernelRun run = run_kernel(about, prepared);
  if (!run.failure.empty()) return read;
  read.readings = decode(prepared, run.observed);
  read.readings.resize(std::min<std::size_t>(read.readings.size(), 3));
  read.patterns = patterns(prepared, run.observed);
  return read;
}

Explanation compare_with_faults(const KernelAbout& about, const Case& a_case) {
  Explanation known{
      .kind = "", .where = "", .sentence = "the order of its sums is not known, so faults are not compared"};
  const Prepared prepared = prepare_for_kernel(a_case);
  if (value_judge(a_case) != "exact") return known;
  const KernelRun run = run_kernel(about, prepared);
  const auto nearest =
      run.failure.empty() ? nearest_fault(prepared, run.observed, most_seconds_for_faults) : std::nullopt;
  known.sentence = "no fault of the catalogue gives these bits";
  if (nearest && nearest->same < nearest->of) known.sentence += ", and the nearest is " + print(*nearest);
  if (!nearest || nearest->same < nearest->of) return known;
  const Fault& fault = fault_named(nearest->fault.substr(0, nearest->fault.find(':')));
  known.faults.emplace_back(fault.id);
  known.kind = name(fault.kind);
  known.sentence = fmt::format("{} gives the same wrong bits: {}", fault.id, fault.summary);
  return known;
}

}  // namespace lockstep
