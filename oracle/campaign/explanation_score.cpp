#include "oracle/campaign/explanation_score.h"

#include "oracle/campaign/parallel.h"
#include "oracle/diagnosis/changes.h"
#include "oracle/diagnosis/explain.h"
#include "oracle/faults/strike.h"

#include <algorithm>

namespace lockstep {
namespace {

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

// None: the case does not fail.
std::optional<Named> explained(const Fault& fault, const Case& a_case) {
  const Prepared prepared = prepare(a_case);
  const Program program = struck(prepared.correct, strike_of(a_case));
  const Verdict verdict = judge(prepared, program);
  if (!verdict.failed()) return {};
  const Explanation explanation = explain(prepared, program, verdict, "", program_of);
  Named named{&fault, a_case, "", false, false};
  if (!explanation.faults.empty()) named.first = explanation.faults.front();
  named.is_class = explanation.kind == name(fault.kind);
  named.is_operation = has(changed_operations(prepared.correct, program), explanation.operation);
  return named;
}

std::vector<Named> of_fault(const Fault& fault, std::uint64_t seed, Index each, Index cases) {
  Fixed fixed;
  fixed.fault = fault.id;
  std::vector<Named> all;
  for (Index number = 0; number < cases && std::ssize(all) < each; ++number) {
    const Case a_case = draw_case(seed, number, 0, fixed);
    if (!is_struck(a_case)) continue;
    if (auto named = explained(fault, a_case)) all.push_back(std::move(*named));
  }
  return all;
}

}  // namespace

std::vector<Named> explanation_score(std::uint64_t seed, Index each, Index cases, Index threads) {
  const auto faults = fault_catalogue();
  std::vector<std::vector<Named>> of_faults(faults.size());
  parallel_for(std::ssize(faults), threads, [&](Index i) {
    of_faults[static_cast<std::size_t>(i)] = of_fault(faults[static_cast<std::size_t>(i)], seed, each, cases);
  });
  std::vector<Named> all;
  for (auto& of_one : of_faults) std::ranges::move(of_one, std::back_inserter(all));
  return all;
}

NamedShare share(const std::vector<Named>& all) {
  NamedShare share;
  for (auto from = all.begin(); from != all.end();) {
    const auto to = std::find_if(from, all.end(), [&](const Named& n) { return n.fault != from->fault; });
    ++share.faults;
    share.with_class += std::all_of(from, to, [](const Named& n) { return n.is_class; }) ? 1 : 0;
    share.with_operation += std::all_of(from, to, [](const Named& n) { return n.is_operation; }) ? 1 : 0;
    from = to;
  }
  return share;
}

}  // namespace lockstep
