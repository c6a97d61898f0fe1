// Text as it can stand in an element or an attribute of XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// < > & and both quotes by their names; control characters, which no XML may hold, as U+FFFD.
std::string escaped(std::string_view text);

}  // namespace lockstep
