// What somebody else wrote, fit to stand in a sentence.
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// In double quotes; what is not printable ASCII, a quote or a backslash as \xNN; cut after 80 bytes, then "...".
std::string in_quotes(std::string_view text);

}  // namespace lockstep
