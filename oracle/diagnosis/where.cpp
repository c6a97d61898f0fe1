#include "oracle/diagnosis/where.h"

#include "oracle/faults/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep {
namespace {

// "rank 3", "ranks 0..3", "ranks 0, 2, 5"
std::string words_for(std::string_view thing, const std::set<Index>& values) {
  const Range range{*values.begin(), *values.rbegin() + 1};
  if (range.size() == std::ssize(values)) return words_for(thing, range);
  return fmt::format("{}s {}", thing, fmt::join(values, ", "));
}

}  // namespace

std::string where(const Case& a_case, const Comparison& c) {
  if (c.differing == 0) return "";
  const Call& call = a_case.calls[static_cast<std::size_t>(*c.calls.begin())];
  const std::string columns = words_for("column", c.cols);
  return fmt::format(
      "{}, {}, {}, {} of {} ({})", words_for("call", c.calls), fmt::join(c.outputs, " and "),
      c.splits.empty() ? columns : fmt::format("{} of {} ({})", words_for("split", c.splits), call.splits, columns),
      words_for("rank", c.ranks), call.ranks(), words_for("row", c.rows));
}

}  // namespace lockstep
