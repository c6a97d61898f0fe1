// A case line without what it leaves to the defaults: parse_case gives the same case.
#pragma once

#include "reference/contract/case.h"

namespace lockstep {

std::string short_line(const Case& a_case);

}  // namespace lockstep
