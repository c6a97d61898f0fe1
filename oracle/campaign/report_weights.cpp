#include "oracle/campaign/report_weights.h"

#include "reference/contract/refusal.h"

#include <array>

namespace lockstep {

Index reports_of(Index report_class) {
  constexpr Index counts[report_classes] = {9, 19, 7, 11, 13, 39, 26, 9, 8, 11, 16, 11, 26, 10, 12, 3, 7};
  CHECK(report_class >= 1 && report_class <= report_classes, "a class of reports from 1 to 17");
  return counts[report_class - 1];
}

std::vector<ClassedKill> by_fault(const std::vector<Kill>& kills) {
  std::vector<ClassedKill> faults;
  const Fault* last = nullptr;
  for (const Kill& kill : kills) {  // fault by fault
    if (kill.fault != last) faults.push_back({kill.fault->number, true});
    last = kill.fault;
    faults.back().is_killed &= !kill.survives();
  }
  return faults;
}

double weighted_score(std::span<const ClassedKill> kills) {
  std::array<Index, report_classes + 1> all{}, killed{};
  for (const auto& [report_class, is_killed] : kills) {
    ++all.at(static_cast<std::size_t>(report_class));
    killed.at(static_cast<std::size_t>(report_class)) += is_killed ? 1 : 0;
  }
  double score = 0, weights = 0;
  for (Index c = 1; c <= report_classes; ++c) {
    const auto i = static_cast<std::size_t>(c);
    if (all[i] == 0) continue;
    const auto weight = static_cast<double>(reports_of(c));
    score += weight * static_cast<double>(killed[i]) / static_cast<double>(all[i]);
    weights += weight;
  }
  return weights == 0 ? 0 : score / weights;
}

}  // namespace lockstep
