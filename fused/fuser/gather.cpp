#include "fused/fuser/gather.h"

namespace lockstep {
namespace {

// A Userbuffer for the whole, each rank's shard copied to its place.
std::vector<Region> placed(LayerFlow& layer, const std::string& name, const std::vector<Region>& shards, bool in_rows,
                           Chunks& chunks) {
  Shape all{in_rows ? 0 : shards.front().rows, in_rows ? shards.front().cols : 0};
  std::vector<Range> columns;
  for (const Region& shard : shards) {
    if (in_rows) all.rows += shard.rows;
    if (!in_rows) columns.push_back({all.cols, all.cols + shard.cols}), all.cols += shard.cols;
  }
  const auto whole = layer.flow.plan.matrices(name, BufferKind::userbuffer, type_of(layer, shards.front()),
                                              [&](Index) { return all; });
  chunks = in_rows ? chunks_in_rows(whole) : chunks_in_columns(whole, columns);
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    layer.flow.then(rank, Copy{shards[r], chunks[r][r]});
  }
  return whole;
}

Gathered gather(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards, bool in_rows) {
  Gathered gathered{shards, {}, {{}}};
  gathered.tensors.push_back(placed(layer, name, values_of(shards), in_rows, gathered.chunks[0]));
  for (std::size_t rank = 0; rank < shards.size(); ++rank) gathered.whole[rank].values = gathered.tensors[0][rank];
  if (!shards.front().scales || shards.front().scales->grid == ScaleGrid::tensor) return gathered;
  gathered.chunks.emplace_back();
  gathered.tensors.push_back(placed(layer, name + ".scale_inv", inverses_of(shards), in_rows, gathered.chunks[1]));
  for (std::size_t rank = 0; rank < shards.size(); ++rank) {
    gathered.whole[rank].scales->inverse = gathered.tensors[1][rank];
    if (!in_rows) gathered.whole[rank].scales->k_parts = layer.problem.tp;
  }
  return gathered;
}

}  // namespace

Gathered gather_rows(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards) {
  return gather(layer, name, shards, true);
}

Gathered gather_columns(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards) {
  return gather(layer, name, shards, false);
}

}  // namespace lockstep
