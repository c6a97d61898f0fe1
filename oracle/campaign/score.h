// The mutation score: does each judge see each fault, and how many random cases does it take?
#pragma once

#include "oracle/campaign/draw.h"
#include "oracle/faults/fault.h"

namespace lockstep {

// One judge, asked alone: none of the others is before it.
struct JudgeColumn {
  std::string_view name;
  Fixed fixed;  // the data or executor that brings this judge in

  // hazards: whether the order of operations is wrong, not what they compute; it is the proof for what values show by
  // luck. Exact data cannot show how a sum is rounded.
  bool can_see(const Fault& fault) const {
    return name == "hazards" ? fault.kind == FaultClass::order
                             : fault.kind != FaultClass::precision || name != "exact";
  }
};

// "exact", "declared", "provenance", "hazards".
std::vector<JudgeColumn> judge_columns();

struct Kill {
  const Fault* fault = nullptr;
  std::string_view judge;
  bool expected = true;  // whether the judge can see faults of this class
  Index cases = 0;       // up to and with the first that failed; 0: survived
  Case killer;
  double seconds = 0;

  bool survives() const { return expected && cases == 0; }
};

// One fault with one judge: random cases up to the first that shows it, `cases` at the most.
Kill hunt(const Fault& fault, const JudgeColumn& column, std::uint64_t seed, Index cases);

// Row by row: every fault with every judge, at most `cases` random cases each, on at most `threads` threads.
std::vector<Kill> score(std::uint64_t seed, Index cases, Index threads);

}  // namespace lockstep
