// How places are said in a sentence.
#pragma once

#include "reference/contract/partition.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace lockstep {

// "column 3", "columns 3..7"
inline std::string words_for(std::string_view thing, const Range& range) {
  return range.size() == 1 ? fmt::format("{} {}", thing, range.begin)
                           : fmt::format("{}s {}..{}", thing, range.begin, range.end - 1);
}

}  // namespace lockstep
