#include "oracle/report/results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep {

std::string results_of(const Campaign& campaign) {
  std::string lines;
  for (std::size_t number = 0; number < campaign.results.size(); ++number) {
    const CaseResult& result = campaign.results[number];
    const nlohmann::json line{{"number", number},
                              {"case", print(result.a_case)},
                              {"verdict", name(result.verdict.outcome)},
                              {"judge", result.verdict.judge},
                              {"outputs", fmt::format("{:016x}", result.verdict.outputs)}};
    lines += line.dump() + "\n";
  }
  return lines;
}

}  // namespace lockstep
