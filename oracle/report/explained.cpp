#include "oracle/report/explained.h"

#include "oracle/diagnosis/advice.h"
#include "oracle/diagnosis/failure.h"
#include "oracle/report/json.h"
#include "oracle/report/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

Failure failure_of(const Explained& explained) {
  return {explained.a_case, explained.a_case, explained.examined.verdict, explained.examined.explanation};
}

}  // namespace

std::string print(const Explained& explained) {
  const Examined& examined = explained.examined;
  if (!examined.verdict.failed())
    return fmt::format("the case does not fail, so there is nothing to explain: judge {}\n", examined.verdict.judge);
  std::string text = print(failure_of(explained));
  if (!explained.nearest.empty()) text += fmt::format("  nearest  {}\n", explained.nearest);
  text += fmt::format("  so       {}\n", advice(examined.explanation, examined.verdict));
  std::string_view before = "go on   ";
  for (const Command& command : commands_to_go_on(explained.a_case, examined.verdict))
    text += fmt::format("  {} {}\n", std::exchange(before, "        "), command.line);
  return text;
}

nlohmann::json to_json(const Explained& explained) {
  const Examined& examined = explained.examined;
  nlohmann::json json{{"verdict", name(examined.verdict.outcome)}, {"case", print(explained.a_case)}};
  if (!examined.verdict.failed()) return json;
  json.update(to_json(failure_of(explained)));
  json["nearest"] = explained.nearest;
  json["advice"] = advice(examined.explanation, examined.verdict);
  json["commands"] = nlohmann::json::array();
  for (const Command& command : commands_to_go_on(explained.a_case, examined.verdict))
    json["commands"].push_back(command.line);
  return json;
}

}  // namespace lockstep
