// A path as a sentence may show it: as it is where all of it is printable ASCII without spaces, quotes or backslashes;
// otherwise, and where it is empty, in quotes as of in_quotes, but whole: two long names may differ only at their end.
#pragma once

#include <string>

namespace lockstep {

std::string shown_path(const std::string& path);

}  // namespace lockstep
