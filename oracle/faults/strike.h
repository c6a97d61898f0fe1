// A fault at a site: what a case puts into its program.
#pragma once

#include "oracle/faults/fault.h"
#include "reference/contract/case.h"

namespace lockstep {

struct Strike {
  const Fault* fault = nullptr;
  Index site = 0;
  bool is_chosen = false;  // by the case's line, not by its seed
};

// Of all calls, the most sites that one has.
Index most_sites(const Fault& fault, const Program& program);

// The fault that the case names, with its site: the one given, or one chosen by the case's seed. None: fault ==
// nullptr.
Strike strike_of(const Case& a_case);

// Every call struck, at the site modulo the most that a call has and then modulo those that it has itself; a call
// without a site stays as it is.
Program struck(Program program, const Strike& strike);

// Whether the case's program has a place for its fault.
bool is_struck(const Case& a_case);

// correct_program, struck by the case's own fault.
Program program_of(const Case& a_case);

}  // namespace lockstep
