#include "bench/shootout/report.h"

#include <nlohmann/json.hpp>

namespace lockstep::shootout {
namespace {

using nlohmann::json;

json rule_json(const Table& table, std::size_t index) {
  const Rule& rule = *table.rules[index];
  const Tally t = tally(table, index);
  return {{"name", rule.name},
          {"source", rule.source},
          {"case", rule.line},
          {"cut", rule.cut},
          {"elementwise", rule.is_elementwise},
          {"data", {{"x", rule.x.words}, {"w", rule.w.words}, {"b", rule.b.words}, {"dy", rule.dy.words}}},
          {"want", rule.reference == Reference::in_double ? "in double" : "unfused"},
          {"accepts", rule.acceptance.formula},
          {"applicable", t.applicable},
          {"seen", t.seen},
          {"seconds", t.seconds},
          {"seconds_to_enter", table.seconds_to_enter[index]}};
}

json trial_json(const Trial& trial) {
  json cell{{"mark", name(trial.mark)}, {"seconds", trial.seconds}};
  if (trial.site >= 0) cell["site"] = trial.site;
  return cell;
}

json kill_json(const Kill& kill) {
  json cell{{"mark", !kill.expected   ? "not applicable"
                     : kill.cases > 0 ? "seen"
                                      : "not seen"},
            {"seconds", kill.seconds}};
  if (kill.cases > 0) cell["cases"] = kill.cases, cell["case"] = print(kill.killer);
  return cell;
}

json fault_json(const Table& table, std::size_t fault) {
  json row{{"fault", table.faults[fault]->id}, {"class", lockstep::name(table.faults[fault]->kind)}};
  for (std::size_t rule = 0; rule < table.rules.size(); ++rule)
    row["rules"][table.rules[rule]->name] = trial_json(table.trials[fault][rule]);
  for (const Kill& kill : table.kills[fault]) row["lockstep"][std::string(kill.judge)] = kill_json(kill);
  row["lockstep_sees"] = table.lockstep_sees(fault);
  return row;
}

}  // namespace

json to_json(const Table& table, const std::vector<Finding>& findings) {
  json all{
      {"rules", json::array()}, {"faults", json::array()}, {"findings", json::array()}, {"seconds", table.seconds}};
  for (std::size_t rule = 0; rule < table.rules.size(); ++rule) all["rules"].push_back(rule_json(table, rule));
  for (std::size_t fault = 0; fault < table.faults.size(); ++fault) all["faults"].push_back(fault_json(table, fault));
  for (const Finding& finding : findings)
    all["findings"].push_back({{"statement", finding.statement},
                               {"measured", finding.measured},
                               {"reproduced", finding.reproduced},
                               {"seconds", finding.seconds}});
  return all;
}

}  // namespace lockstep::shootout
