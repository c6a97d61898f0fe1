#include "oracle/diagnosis/same_failure.h"

#include <algorithm>

namespace lockstep {
namespace {

std::string hazard_of(const Verdict& verdict) {
  return verdict.judge == "hazards" ? verdict.finding.substr(0, verdict.finding.find(':')) : "";
}

}  // namespace

FailureKind kind_of(const Verdict& verdict, const Explanation& explanation) {
  return {verdict.judge, hazard_of(verdict), verdict.comparison.outputs,
          explanation.faults.empty() ? "" : explanation.faults.front()};
}

bool is_same(const FailureKind& kind, const Prepared& prepared, const Program& program, const Verdict& verdict) {
  if (!verdict.failed() || verdict.judge != kind.judge || hazard_of(verdict) != kind.kind) return false;
  const auto& outputs = verdict.comparison.outputs;
  if (outputs.empty() != kind.outputs.empty() || !std::ranges::includes(kind.outputs, outputs)) return false;
  return kind.fault.empty() || is_explained_by(kind.fault, prepared, program);
}

}  // namespace lockstep
