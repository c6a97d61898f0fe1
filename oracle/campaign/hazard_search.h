// Programs checked for hazards, without running them: those of given cases, then of random ones.
#pragma once

#include "oracle/campaign/draw.h"
#include "oracle/hazards/hazards.h"

#include <functional>

namespace lockstep {

struct HazardSearch {
  std::vector<Case> cases;
  Index random_cases = 0;  // after those
  std::uint64_t seed = 0;
  std::string fault;  // of the random ones
  Index threads = 1;
};

struct Checked {
  Case a_case;
  Index operations = 0;  // of its calls
  std::vector<Hazard> hazards;
  double seconds = 0;
};

// Of the program and its repetition on the same Userbuffers, so of any number of repetitions.
Checked check_hazards(const Case& a_case);

// In order. `progress` is called now and then with the number done and of all.
std::vector<Checked> search_hazards(const HazardSearch& search, const std::function<void(Index, Index)>& progress);

}  // namespace lockstep
