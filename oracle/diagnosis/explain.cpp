#include "oracle/diagnosis/explain.h"

#include "oracle/diagnosis/changes.h"
#include "oracle/diagnosis/pattern.h"
#include "oracle/diagnosis/symptoms.h"
#include "oracle/diagnosis/variations.h"
#include "oracle/diagnosis/where.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

const Plan& struck_call(const Program& correct, const Fault& fault) {
  return *std::ranges::find_if(correct.calls, [&](const Plan& plan) { return fault.sites(plan) > 0; });
}

// The first site at which the fault shows the same.
std::optional<Strike> reproduces(const Program& correct, const Symptoms& seen, const Fault& fault) {
  for (Index site = 0; site < most_sites(fault, correct); ++site) {
    const Program candidate = struck(correct, {&fault, site, true});
    if (candidate.calls != correct.calls && seen.also_of(candidate)) return Strike{&fault, site, true};
  }
  return {};
}

// At other sizes: a fault that has no place there leaves the program as it is, and shows what the correct one does.
bool reproduces_there(const Program& correct, const Symptoms& seen, const Fault& fault) {
  const Index sites = std::max<Index>(1, most_sites(fault, correct));
  for (Index site = 0; site < sites; ++site)
    if (seen.also_of(struck(correct, {&fault, site, true}))) return true;
  return false;
}

// Leaves those that show the same at other sizes too.
void tell_apart(std::vector<Strike>& found, const Case& a_case, const ProgramOf& again) {
  for (const Case& other : variations(a_case)) {
    if (found.size() < 2) return;
    const Program correct = correct_program(other);
    const Symptoms seen(again(other));
    std::vector<Strike> left = found;
    std::erase_if(left, [&](const Strike& strike) { return !reproduces_there(correct, seen, *strike.fault); });
    if (!left.empty()) found = std::move(left);
  }
}

std::vector<Strike> candidates(const Prepared& prepared, const Symptoms& seen, const std::string& likeliest) {
  std::vector<Strike> found;
  for (const Fault& fault : fault_catalogue())
    if (const auto strike = reproduces(prepared.correct, seen, fault))
      found.insert(fault.id == likeliest ? found.begin() : found.end(), *strike);
  return found;
}

// The case on data that is exact, if it can be made.
std::optional<Prepared> on_exact_data(Case a_case) try {
  for (Call& call : a_case.calls) call.data = Data::planted;
  validate(a_case);
  return prepare(a_case);
} catch (const Refusal&) {
  return {};
}

// The program reads the same on exact data, and says more of itself.
void read_values(Explanation& explanation, const Prepared& judged, const Program& program, const Verdict& verdict) {
  if (verdict.judge == "provenance" || verdict.judge == "plan" || verdict.judge == "hang") return;
  const std::optional<Prepared> exact = verdict.judge == "exact" ? std::nullopt : on_exact_data(judged.a_case);
  const Prepared& prepared = exact ? *exact : judged;
  const Observed observed = observe(prepared, program, judged.a_case.first().executor);
  explanation.readings = decode(prepared, observed);
  explanation.readings.resize(std::min<std::size_t>(explanation.readings.size(), 3));
  if (exact || verdict.judge == "exact" || verdict.judge == "declared")
    explanation.patterns = patterns(prepared, observed);
}

std::string sentence(const Prepared& prepared, const std::vector<Strike>& found, const Explanation& explanation) {
  const bool by_bits = !explanation.where.empty();
  const std::string wrong = by_bits ? "; wrong: " + explanation.where : "";
  if (found.empty())
    return fmt::format("no fault of the catalogue {}{}", by_bits ? "gives these bits" : "shows this", wrong);
  const Fault& fault = *found[0].fault;
  const Plan& plan = struck_call(prepared.correct, fault);
  std::string others;
  for (std::size_t i = 1; i < found.size(); ++i)
    others += fmt::format("{}{}", i == 1 ? " (so would: " : ", ", found[i].fault->id);
  if (!others.empty()) others += ")";
  return fmt::format("{} {}: {}{}{}", fault.id, by_bits ? "gives the same wrong bits everywhere" : "shows the same",
                     fault.describe(plan, found[0].site % fault.sites(plan)), wrong, others);
}

}  // namespace

bool is_explained_by(const std::string& fault, const Prepared& prepared, const Program& program) {
  return reproduces(prepared.correct, Symptoms(prepared, program), fault_named(fault)).has_value();
}

Explanation explain(const Prepared& prepared, const Program& program, const Verdict& verdict,
                    const std::string& likeliest, const ProgramOf& again) {
  std::vector<Strike> found = candidates(prepared, Symptoms(prepared, program), likeliest);
  if (again) tell_apart(found, prepared.a_case, again);
  Explanation explanation{.kind = verdict.judge, .where = where(prepared.a_case, verdict.comparison)};
  for (const Strike& strike : found) explanation.faults.emplace_back(strike.fault->id);
  if (!found.empty()) {
    explanation.kind = name(found[0].fault->kind);
    const auto changed = changed_operations(prepared.correct, struck(prepared.correct, found[0]));
    if (!changed.empty()) explanation.operation = changed.front();
  }
  explanation.sentence = sentence(prepared, found, explanation);
  read_values(explanation, prepared, program, verdict);
  return explanation;
}

}  // namespace lockstep
