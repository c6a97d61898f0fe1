#include "oracle/judges/of_group.h"

#include "oracle/inputs/by_group.h"

namespace lockstep {
namespace {

std::vector<Index> ranks_of(const Prepared& prepared, Index group) {
  return groups_of(prepared.a_case.first())[static_cast<std::size_t>(group)];
}

void enclose(Range& all, const Range& more) {
  if (more.empty()) return;
  all = all.empty() ? more : Range{std::min(all.begin, more.begin), std::max(all.end, more.end)};
}

}  // namespace

Prepared of_group(const Prepared& prepared, Index group) {
  const auto ranks = ranks_of(prepared, group);
  return {case_of_group(prepared.a_case, group),
          of_ranks(prepared.inputs, ranks),
          {},
          of_ranks(prepared.wanted, ranks),
          of_ranks(prepared.bounds, ranks),
          of_ranks(prepared.wanted_symbols, ranks),
          0};
}

Observed of_group(const Prepared& prepared, const Observed& observed, Index group) {
  Observed some;
  some.outputs = of_ranks(observed.outputs, ranks_of(prepared, group));
  return some;
}

void add(Comparison& all, const Comparison& of_group, const std::vector<Index>& ranks) {
  const auto in_world = [&](Index rank) { return ranks[static_cast<std::size_t>(rank)]; };
  all.compared += of_group.compared, all.differing += of_group.differing, all.poisoned += of_group.poisoned;
  all.unjudged += of_group.unjudged, all.utilisation = std::max(all.utilisation, of_group.utilisation);
  for (Difference difference : of_group.first) {
    difference.rank = in_world(difference.rank);
    if (all.first.size() < Comparison::kept) all.first.push_back(difference);
  }
  for (Index rank : of_group.ranks) all.ranks.insert(in_world(rank));
  all.outputs.insert(of_group.outputs.begin(), of_group.outputs.end());
  all.calls.insert(of_group.calls.begin(), of_group.calls.end());
  all.splits.insert(of_group.splits.begin(), of_group.splits.end());
  enclose(all.rows, of_group.rows), enclose(all.cols, of_group.cols);
}

}  // namespace lockstep
