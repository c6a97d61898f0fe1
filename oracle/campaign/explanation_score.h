// Does explain() name the fault? For each fault of the catalogue random cases that it makes fail, explained without
// knowing it.
#pragma once

#include "oracle/campaign/draw.h"
#include "oracle/faults/fault.h"

namespace lockstep {

struct Named {
  const Fault* fault = nullptr;
  Case a_case;
  std::string first;          // the fault that the explanation has first; "" : none
  bool is_class = false;      // of the class of the fault
  bool is_operation = false;  // the operation is one that the fault changes
};

// One failing case of each of `each` numbers per fault, at most `cases` random ones tried for it.
std::vector<Named> explanation_score(std::uint64_t seed, Index each, Index cases, Index threads);

// Of the faults that have a case: of how many every case has the right class, or the right operation. What is asked:
// 95 % and 90 %.
struct NamedShare {
  Index faults = 0, with_class = 0, with_operation = 0;

  bool passes() const { return faults > 0 && 100 * with_class >= 95 * faults && 100 * with_operation >= 90 * faults; }
};
NamedShare share(const std::vector<Named>& all);

}  // namespace lockstep
