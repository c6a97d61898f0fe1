#include "oracle/report/explanations.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace lockstep {
namespace {

std::string print_case(const Named& named) {
  return fmt::format("{:<32} {:<32} class {:<5} operation {:<5}\n{:33}{}\n", named.fault->id,
                     named.first.empty() ? "none" : named.first, named.is_class ? "right" : "wrong",
                     named.is_operation ? "right" : "wrong", "", print(named.a_case));
}

double percent(Index part, Index all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

std::string print_explanations(const std::vector<Named>& all) {
  std::string text = fmt::format("{:<32} {:<32}\n", "fault", "explained as");
  for (const Named& named : all)
    if (named.first != named.fault->id) text += print_case(named);
  const NamedShare of = share(all);
  return text + fmt::format(
                    "\n{} failing cases of {} faults explained without knowing them; right in every case of a "
                    "fault: the class {} ({:.1f} %, 95 % are asked), the operation {} ({:.1f} %, 90 % are asked)\n",
                    all.size(), of.faults, of.with_class, percent(of.with_class, of.faults), of.with_operation,
                    percent(of.with_operation, of.faults));
}

nlohmann::json explanations_json(const std::vector<Named>& all) {
  const NamedShare of = share(all);
  nlohmann::json cases = nlohmann::json::array();
  for (const Named& named : all)
    cases.push_back({{"fault", named.fault->id},
                     {"first", named.first},
                     {"class", named.is_class},
                     {"operation", named.is_operation},
                     {"case", print(named.a_case)}});
  return {
      {"faults", of.faults}, {"with_class", of.with_class}, {"with_operation", of.with_operation}, {"cases", cases}};
}

}  // namespace lockstep
