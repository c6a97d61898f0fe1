#include "bench/shootout/rule_sets.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

namespace lockstep::shootout {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> collected;
    for (auto set : {te_ops_rules, te_other_rules, tolerance_rules, exact_rules})
      for (Rule& rule : set()) collected.push_back(std::move(rule));
    return collected;
  }();
  return all;
}

const Rule& rule_named(std::string_view name) {
  std::string known;
  for (const Rule& rule : rules()) {
    if (rule.name == name) return rule;
    known += (known.empty() ? "" : ", ") + rule.name;
  }
  refuse("rule {}: there is no such rule; there are {}", in_quotes(name), known);
}

// data=normal: the reference rounds as the plan does. The data itself is the rule's.
Case case_of(const Rule& rule) { return parse_case(rule.line + " data=normal"); }

}  // namespace lockstep::shootout
