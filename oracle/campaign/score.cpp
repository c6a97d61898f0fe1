#include "oracle/campaign/score.h"

#include "oracle/judges/judge.h"

namespace lockstep {
namespace {

Kill hunt(const Fault& fault, const JudgeColumn& column, std::uint64_t seed, Index cases) {
  Fixed fixed = column.fixed;
  fixed.fault = fault.id;
  for (Index number = 0; number < cases; ++number) {
    const Case a_case = draw_case(seed, number, 0, fixed);
    const Verdict verdict = judge(a_case);
    if (verdict.failed() && verdict.judge == column.name) return {&fault, column.name, number + 1, a_case};
  }
  return {&fault, column.name, 0, {}};
}

}  // namespace

std::vector<JudgeColumn> judge_columns() {
  return {{"exact", {Data::planted, {}, ""}},
          {"declared", {Data::normal, {}, ""}},
          {"provenance", {{}, Executor{ExecutorKind::provenance, 0}, ""}}};
}

std::vector<Kill> score(std::uint64_t seed, Index cases) {
  std::vector<Kill> kills;
  for (const Fault& fault : fault_catalogue())
    for (const JudgeColumn& column : judge_columns()) kills.push_back(hunt(fault, column, seed, cases));
  return kills;
}

}  // namespace lockstep
