// What is refused of a case before it runs, whichever verb it is given to.
#pragma once

#include "reference/contract/case.h"

namespace lockstep {

// Refuses a fault, or one with its site, that is not in the catalogue; "" is none.
void expect_fault(const std::string& fault);
// Refuses a case that has a fault without a place for it, or that does not fit this machine.
void expect_runnable(const Case& a_case);

}  // namespace lockstep
