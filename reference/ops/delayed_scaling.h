// What a pass of a layer reads of its scales and leaves of them for the next, under delayed scaling.
#pragma once

#include "reference/ops/reduction.h"
#include "reference/ops/sequential.h"

namespace lockstep {

// The scale of each rank's part on an FP8 wire.
template <typename Number>
std::vector<Number> wire_scales(const LayerScales<Number>& scales, Role role) {
  std::vector<Number> of_ranks;
  if (const auto found = scales.find(role); found != scales.end())
    for (const ScaleState<Number>& state : found->second) of_ranks.push_back(state.scale);
  return of_ranks;
}

// The amax of what each rank handed to the wire, before its scale.
template <typename Number>
std::vector<Number> wire_amaxes(const Contributions<Number>& all) {
  std::vector<Number> amaxes;
  for (Index rank = 0; rank < std::ssize(all.products); ++rank) {
    const MatrixOf<Number>& p = all.products[static_cast<std::size_t>(rank)];
    amaxes.push_back(
        amax(matrix_of<Number>(p.rows, p.cols, [&](Index i, Index j) { return all.with_bias(rank, j, p(i, j)); })));
  }
  return amaxes;
}

template <typename Number>
void update(LayerState<Number>& state, Role role, const Recipe& recipe, const std::vector<Number>& amaxes) {
  const auto found = state.scales.find(role);
  if (found == state.scales.end()) return;
  for (std::size_t rank = 0; rank < amaxes.size(); ++rank)
    found->second[rank] = updated(found->second[rank], recipe, fp8_type(role), amaxes[rank]);
}

// A tensor's amax is that of all its shards.
template <typename Number>
void update_by_group(LayerState<Number>& state, Role role, const Recipe& recipe, const RanksOf<Number>& shards) {
  Number largest{};
  for (const MatrixOf<Number>& shard : shards) largest = larger(largest, amax(shard));
  update(state, role, recipe, std::vector<Number>(shards.size(), largest));
}

}  // namespace lockstep
