// The mutation score: does each judge see each fault, and how many random cases does it take?
#pragma once

#include "oracle/campaign/draw.h"
#include "oracle/faults/fault.h"

namespace lockstep {

struct JudgeColumn {
  std::string_view name;
  Fixed fixed;  // the data or executor that brings this judge in
};

// "exact", "declared", "provenance".
std::vector<JudgeColumn> judge_columns();

struct Kill {
  const Fault* fault = nullptr;
  std::string_view judge;
  Index cases = 0;  // up to and with the first that failed; 0: survived
  Case killer;
};

// Row by row: every fault with every judge, at most `cases` random cases each.
std::vector<Kill> score(std::uint64_t seed, Index cases);

}  // namespace lockstep
