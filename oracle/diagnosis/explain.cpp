#include "oracle/diagnosis/explain.h"

#include "fused/host/provenance.h"
#include "oracle/faults/strike.h"
#include "oracle/faults/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

// "rank 3", "ranks 0..3", "ranks 0, 2, 5"
std::string words_for(std::string_view thing, const std::set<Index>& values) {
  const Range range{*values.begin(), *values.rbegin() + 1};
  if (range.size() == std::ssize(values)) return words_for(thing, range);
  return fmt::format("{}s {}", thing, fmt::join(values, ", "));
}

std::string where(const Case& a_case, const Comparison& c) {
  if (c.differing == 0) return "";
  const Call& call = a_case.calls[static_cast<std::size_t>(*c.calls.begin())];
  const std::string columns = words_for("column", c.cols);
  return fmt::format(
      "{}, {}, {}, {} of {} ({})", words_for("call", c.calls), fmt::join(c.outputs, " and "),
      c.splits.empty() ? columns : fmt::format("{} of {} ({})", words_for("split", c.splits), call.splits, columns),
      words_for("rank", c.ranks), call.tp, words_for("row", c.rows));
}

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
    return {{}, verdict.judge, "", verdict.finding};
  const Given given(prepared, program, verdict);
  std::vector<Strike> found;
  for (const Fault& fault : fault_catalogue())
    if (const auto strike = reproduces(prepared, given, fault))
      found.insert(fault.id == likeliest ? found.begin() : found.end(), *strike);
  Explanation explanation{{}, verdict.judge, where(prepared.a_case, verdict.comparison), ""};
  for (const Strike& strike : found) explanation.faults.emplace_back(strike.fault->id);
  if (!found.empty()) explanation.kind = name(found[0].fault->kind);
  explanation.sentence = sentence(prepared, found, explanation.where);
  return explanation;
}

}  // namespace lockstep
