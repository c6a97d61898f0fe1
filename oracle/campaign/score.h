// The mutation score: does each judge see each fault, and how many random cases does it take?
#pragma once

#include "oracle/campaign/draw.h"
#include "oracle/faults/fault.h"

namespace lockstep {

// One judge, asked alone: none of the others is before it.
struct JudgeColumn {
  std::string_view name;
  Fixed fixed;  // the data or executor that brings this judge in

  // hazards is the proof for what values show by luck: when things are done, not what is computed. Exact data cannot
  // show how a sum is rounded.
  bool can_see(const Fault& fault) const {
    return name == "hazards"
               ? is_of_the_program(fault.kind)
               : !is_of_the_program(fault.kind) && (fault.kind != FaultClass::precision || name != "exact");
  }
};

// "exact", "declared", "provenance", "hazards".
std::vector<JudgeColumn> judge_columns();

struct Kill {
  const Fault* fault = nullptr;
  std::string_view judge;
  bool expected = true;  // whether the judge is bound to see faults of this class
  Index cases = 0;       // up to and with the first that failed; 0: not seen
  Case killer;
  double seconds = 0;

  bool survives() const { return expected && cases == 0; }
};

// One fault with one judge: random cases, of each fault others, up to the first that shows it, `cases` at the most; 64
// where the judge may see it by luck only.
Kill hunt(const Fault& fault, const JudgeColumn& column, std::uint64_t seed, Index cases);

// Row by row: every fault with every judge, at most `cases` random cases each, on at most `threads` threads.
std::vector<Kill> score(std::uint64_t seed, Index cases, Index threads);

}  // namespace lockstep
