// Puts a case's fault into its program.
#pragma once

#include "oracle/faults/fault.h"
#include "reference/contract/case.h"

namespace lockstep {

// The program of a case's calls, without its fault. Layers go through the fuser.
Program correct_program(const Case& a_case);

// The site at which a plan with `sites` sites (at least one) is struck.
struct Strike {
  const Fault* fault = nullptr;
  Index site = 0;
};

// The fault that the case names, with its site: the one given, or one chosen by the case's seed. None: fault ==
// nullptr.
Strike strike_of(const Case& a_case);

// Every call struck, at the site modulo the number of sites that the call has; a call without a site stays as it is.
Program struck(Program program, const Strike& strike);

// correct_program, struck by the case's own fault.
Program program_of(const Case& a_case);

}  // namespace lockstep
