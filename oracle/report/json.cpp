#include "oracle/report/json.h"

#include "oracle/campaign/report_weights.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace lockstep {
nlohmann::json to_json(const Reading& reading) {
  return {{"words", reading.words}, {"output", reading.output},
          {"call", reading.call},   {"explains", reading.explains},
          {"of", reading.of},       {"against", reading.against},
          {"where", reading.where}, {"ambiguous", reading.is_ambiguous}};
}

nlohmann::json to_json(const Failure& failure) {
  nlohmann::json readings = nlohmann::json::array();
  for (const Reading& reading : failure.explanation.readings) readings.push_back(to_json(reading));
  return {{"case", print(failure.shrunk)},
          {"found", print(failure.found)},
          {"kernel", failure.kernel},
          {"verdict", name(failure.verdict.outcome)},
          {"class", failure.explanation.kind},
          {"judge", failure.verdict.judge},
          {"operation", failure.explanation.operation},
          {"where", failure.explanation.where},
          {"explanation", failure.explanation.sentence},
          {"faults", failure.explanation.faults},
          {"readings", readings},
          {"patterns", failure.explanation.patterns}};
}

nlohmann::json to_json(const Campaign& campaign, std::string_view verdict) {
  nlohmann::json failures = nlohmann::json::array(), blind = nlohmann::json::array();
  for (const Failure& failure : campaign.failures) failures.push_back(to_json(failure));
  for (const CaseResult& result : campaign.results)
    if (result.verdict.outcome == Outcome::blind)
      blind.push_back({{"case", print(result.a_case)}, {"fault", result.blind_to}});
  return {{"verdict", verdict},
          {"cases", campaign.results.size()},
          {"agree", campaign.count(Outcome::agree)},
          {"disagree", campaign.count(Outcome::disagree)},
          {"hang", campaign.count(Outcome::hang)},
          {"crash", campaign.count(Outcome::crash)},
          {"failed", campaign.count(Outcome::failed)},
          {"unsupported", campaign.unsupported()},
          {"blind", campaign.count(Outcome::blind)},
          {"empty", campaign.count(Outcome::empty)},
          {"seconds", campaign.seconds},
          {"utilisation", campaign.utilisation()},
          {"unjudged", campaign.unjudged()},
          {"failures", failures},
          {"blind_cases", blind}};
}

nlohmann::json to_json(const std::vector<Kill>& kills) {
  nlohmann::json table = nlohmann::json::array();
  for (const Kill& kill : kills) {
    if (!kill.expected) continue;
    const bool survives = kill.survives();
    table.push_back({{"fault", kill.fault->id},
                     {"class", name(kill.fault->kind)},
                     {"judge", kill.judge},
                     {"killed", !survives},
                     {"cases", kill.cases}});
    if (!survives) table.back()["case"] = print(kill.killer);
  }
  const auto faults = by_fault(kills);
  const auto killed = std::ranges::count_if(faults, &ClassedKill::is_killed);
  return {{"named", {{"total", faults.size()}, {"killed", killed}, {"weighted", weighted_score(faults)}}},
          {"table", table}};
}

nlohmann::json catalogue_json() {
  nlohmann::json faults = nlohmann::json::array();
  for (const Fault& fault : fault_catalogue())
    faults.push_back({{"id", fault.id},
                      {"class", name(fault.kind)},
                      {"number", fault.number},
                      {"source", fault.source},
                      {"summary", fault.summary}});
  return {{"faults", faults}};
}

}  // namespace lockstep
