#include "oracle/diagnosis/explain.h"

#include "fused/host/provenance.h"
#include "oracle/diagnosis/where.h"
#include "oracle/faults/strike.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

// What the judged program gave, to hold others against: bits, or symbols where provenance was the judge.
class Given {
 public:
  Given(const Prepared& prepared, const Program& program, const Verdict& verdict)
      : prepared_(prepared), by_symbols_(verdict.judge == "provenance") {
    by_symbols_ ? void(symbols_ = provenance(program).outputs) : void(bits_ = bits(program));
  }

  bool also_by(const Program& other) const {
    return by_symbols_ ? provenance(other).outputs == symbols_ : bits(other) == bits_;
  }

 private:
  const Executor& executor() const { return prepared_.a_case.first().executor; }
  std::vector<NamedTensors> bits(const Program& program) const {
    return observe(prepared_, program, executor()).outputs;
  }

  const Prepared& prepared_;
  bool by_symbols_;
  std::vector<SymbolsByName> symbols_;
  std::vector<NamedTensors> bits_;
};

const Plan& struck_call(const Program& correct, const Fault& fault) {
  return *std::ranges::find_if(correct.calls, [&](const Plan& plan) { return fault.sites(plan) > 0; });
}

// The first site at which the fault gives the same.
std::optional<Strike> reproduces(const Prepared& prepared, const Given& given, const Fault& fault) {
  for (Index site = 0; site < most_sites(fault, prepared.correct); ++site) {
    const Program candidate = struck(prepared.correct, {&fault, site, true});
    if (candidate.calls != prepared.correct.calls && given.also_by(candidate)) return Strike{&fault, site, true};
  }
  return {};
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
std::vector<Reading> readings(const Prepared& judged, const Program& program, const Verdict& verdict) {
  if (verdict.judge == "provenance") return {};
  const std::optional<Prepared> exact = verdict.judge == "exact" ? std::nullopt : on_exact_data(judged.a_case);
  const Prepared& prepared = exact ? *exact : judged;
  auto all = decode(prepared, observe(prepared, program, judged.a_case.first().executor));
  all.resize(std::min<std::size_t>(all.size(), 3));
  return all;
}

std::string sentence(const Prepared& prepared, const std::vector<Strike>& found, const std::string& where) {
  if (found.empty()) return fmt::format("no fault of the catalogue gives these bits; wrong: {}", where);
  const Plan& plan = struck_call(prepared.correct, *found[0].fault);
  std::string others;
  for (std::size_t i = 1; i < found.size(); ++i)
    others += fmt::format("{}{}", i == 1 ? " (the same bits: " : ", ", found[i].fault->id);
  if (!others.empty()) others += ")";
  return fmt::format("{} gives the same wrong bits everywhere: {}; wrong: {}{}", found[0].fault->id,
                     found[0].fault->describe(plan, found[0].site % found[0].fault->sites(plan)), where, others);
}

}  // namespace

bool is_explained_by(const std::string& fault, const Prepared& prepared, const Program& program,
                     const Verdict& verdict) {
  return reproduces(prepared, Given(prepared, program, verdict), fault_named(fault)).has_value();
}

Explanation explain(const Prepared& prepared, const Program& program, const Verdict& verdict,
                    const std::string& likeliest) {
  if (verdict.outcome == Outcome::hang || verdict.judge == "plan" || verdict.judge == "memory")
    return {{}, verdict.judge, "", verdict.finding, {}};
  const Given given(prepared, program, verdict);
  std::vector<Strike> found;
  for (const Fault& fault : fault_catalogue())
    if (const auto strike = reproduces(prepared, given, fault))
      found.insert(fault.id == likeliest ? found.begin() : found.end(), *strike);
  Explanation explanation{{}, verdict.judge, where(prepared.a_case, verdict.comparison), "", {}};
  for (const Strike& strike : found) explanation.faults.emplace_back(strike.fault->id);
  if (!found.empty()) explanation.kind = name(found[0].fault->kind);
  explanation.sentence = sentence(prepared, found, explanation.where);
  explanation.readings = readings(prepared, program, verdict);
  return explanation;
}

}  // namespace lockstep
