#include "fused/fuser/quantization.h"

namespace lockstep {
namespace {

Shape one(Index) { return {1, 1}; }

std::vector<Region> workspace_as(LayerFlow& layer, const std::string& name, DType type, const std::vector<Region>& like,
                                 bool turned = false) {
  return layer.flow.plan.matrices(name, BufferKind::workspace, type, [&](Index rank) {
    const Region& region = on(like, rank);
    return turned ? Shape{region.cols, region.rows} : Shape{region.rows, region.cols};
  });
}

DType type_of(const LayerFlow& layer, const Region& region) {
  return layer.flow.plan.plan().buffers[static_cast<std::size_t>(region.buffer)].dtype;
}

std::string named(Role role, const char* what) { return fmt::format("{}.{}", name(role), what); }

// The largest over the group, on every rank.
std::vector<Region> over_the_group(LayerFlow& layer, Role role, const std::vector<Region>& local) {
  Flow& flow = layer.flow;
  const Index ranks = flow.ranks();
  const auto all = flow.plan.matrices(named(role, "amaxes"), BufferKind::userbuffer, DType::f32, [=](Index) {
    return Shape{1, ranks};
  });
  const auto largest = flow.plan.matrices(named(role, "amax"), BufferKind::workspace, DType::f32, one);
  const auto told = flow.plan.counter_of_each_rank(named(role, "amax"));
  for (Index rank = 0; rank < ranks; ++rank) {
    for (Index peer = 0; peer < ranks; ++peer)
      flow.then(rank, Copy{on(local, rank), cols_of(on(all, peer), {rank, rank + 1})});
    flow.then(rank, Signal{told[static_cast<std::size_t>(rank)], 1});
    for (Index peer = 0; peer < ranks; ++peer)
      if (peer != rank) flow.then(rank, Wait{told[static_cast<std::size_t>(peer)], 1});
    Reduce reduce{.sources = {}, .d = on(largest, rank), .reduction = Reduction::max};
    for (Index peer = 0; peer < ranks; ++peer) reduce.sources.push_back(cols_of(on(all, rank), {peer, peer + 1}));
    flow.then(rank, reduce);
  }
  return largest;
}

std::vector<Region> local_amax(LayerFlow& layer, Role role, const std::vector<Region>& from) {
  const auto amax = layer.flow.plan.matrices(named(role, "local_amax"), BufferKind::workspace, DType::f32, one);
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank) layer.flow.then(rank, Amax{on(from, rank), on(amax, rank)});
  return amax;
}

std::vector<Region> scale_from_now(LayerFlow& layer, Role role, const std::vector<Region>& from) {
  auto amax = local_amax(layer, role, from);
  if (is_gathered(layer.problem, role)) amax = over_the_group(layer, role, amax);
  const auto scale = layer.flow.plan.matrices(named(role, "scale"), BufferKind::workspace, DType::f32, one);
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank)
    layer.flow.then(rank, ScaleFromAmax{on(amax, rank), fp8_type(role), on(scale, rank)});
  return scale;
}

std::vector<Region> scale_of(LayerFlow& layer, Role role, const std::vector<Region>& from) {
  if (layer.recipe().kind == RecipeKind::current) return scale_from_now(layer, role, from);
  KeptScale& kept = layer.kept.at(role);
  kept.amax = local_amax(layer, role, from);
  return kept.scale;
}

std::vector<Operand> operands(const std::vector<Region>& values, const std::vector<Region>& inverse, Scales like) {
  std::vector<Operand> all;
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    like.inverse = inverse[rank];
    all.push_back({values[rank], false, like});
  }
  return all;
}

std::vector<Operand> in_tensor_scale(LayerFlow& layer, Role role, const std::vector<Region>& from) {
  const auto scale = scale_of(layer, role, from);
  const auto codes = workspace_as(layer, named(role, "codes"), fp8_type(role), from);
  const auto inverse = layer.flow.plan.matrices(named(role, "scale_inv"), BufferKind::workspace, DType::f32, one);
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank)
    layer.flow.then(rank, QuantizeTensor{on(from, rank), on(scale, rank), on(codes, rank), on(inverse, rank)});
  return operands(codes, inverse, {});
}

std::vector<Operand> in_blocks(LayerFlow& layer, Role role, const std::vector<Region>& from, bool turned,
                               Index k_parts) {
  const Recipe& recipe = layer.recipe();
  const Scales scales{{}, turned ? ScaleGrid::rows : grid_of(recipe, role), block_of(recipe), k_parts};
  const std::string suffix = turned ? "_t" : "";
  const auto codes = workspace_as(layer, named(role, "codes") + suffix, fp8_type(role), from, turned);
  const auto inverse = layer.flow.plan.matrices(
      named(role, "scale_inv") + suffix, BufferKind::workspace, scale_type(recipe), [&](Index rank) {
        const Region& of = on(codes, rank);
        return Shape{scales.grid == ScaleGrid::rows ? of.rows : block_count(of.rows, 1, scales.block),
                     block_count(of.cols, k_parts, scales.block)};
      });
  const auto all = operands(codes, inverse, scales);
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank) {
    const Operand& operand = all[static_cast<std::size_t>(rank)];
    layer.flow.then(rank, QuantizeBlocks{on(from, rank), turned, recipe.kind, operand.values, *operand.scales});
  }
  return all;
}

std::vector<Region> values_of(const std::vector<Operand>& operands) {
  std::vector<Region> values;
  for (const Operand& operand : operands) values.push_back(operand.values);
  return values;
}

std::vector<Region> inverses_of(const std::vector<Operand>& operands) {
  std::vector<Region> inverses;
  for (const Operand& operand : operands) inverses.push_back(operand.scales->inverse);
  return inverses;
}

std::vector<Region> turned(LayerFlow& layer, const std::string& name, const std::vector<Region>& from) {
  const auto to = workspace_as(layer, name, type_of(layer, from.front()), from, true);
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank)
    layer.flow.then(rank, Transpose{on(from, rank), on(to, rank)});
  return to;
}

std::vector<Operand> turned_squares(LayerFlow& layer, Role role, const std::vector<Operand>& rows) {
  return operands(turned(layer, named(role, "codes_t"), values_of(rows)),
                  turned(layer, named(role, "scale_inv_t"), inverses_of(rows)), *rows.front().scales);
}

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

void keep_scales(LayerFlow& layer, Pass pass) {
  if (layer.recipe().kind != RecipeKind::delayed) return;
  PlanBuilder& plan = layer.flow.plan;
  for (Role role : roles_of(layer.problem, pass)) {
    KeptScale& kept = layer.kept[role];
    kept.scale = plan.matrices(scale_name(role), BufferKind::state, DType::f32, one);
    kept.history = plan.matrices(history_name(role), BufferKind::state, DType::f32, [&](Index) {
      return Shape{1, layer.recipe().history};
    });
    if (is_gathered(layer.problem, role)) plan.replicate(kept.scale), plan.replicate(kept.history);
    if (role == Role::y || role == Role::dx)
      kept.amax = plan.matrices(named(role, "amax"), BufferKind::workspace, DType::f32, one);
  }
}

void update_scales(LayerFlow& layer, Pass pass) {
  for (auto& [role, kept] : layer.kept) {
    if (!updates(pass, role)) continue;
    const bool of_the_rank = role == Role::y || role == Role::dx;
    const auto amax = of_the_rank ? kept.amax : over_the_group(layer, role, kept.amax);
    for (Index rank = 0; rank < layer.flow.ranks(); ++rank)
      layer.flow.then(rank, UpdateScale{on(amax, rank), on(kept.history, rank), fp8_type(role), layer.recipe(),
                                        on(kept.scale, rank)});
  }
}

std::vector<Operand> quantized(LayerFlow& layer, Role role, const std::vector<Region>& from) {
  if (has_tensor_scale(layer.recipe())) return in_tensor_scale(layer, role, from);
  if (has_block_scales(layer.recipe())) return in_blocks(layer, role, from, false, 1);
  std::vector<Operand> plain;
  for (const Region& region : from) plain.push_back({region});
  return plain;
}

std::vector<Operand> transposed_codes(LayerFlow& layer, const std::string& name, const std::vector<Operand>& rows) {
  return operands(turned(layer, name, values_of(rows)), inverses_of(rows), *rows.front().scales);
}

std::vector<Operand> quantized_transpose(LayerFlow& layer, Role role, const std::vector<Region>& from,
                                         const std::vector<Operand>& rows, Index k_parts) {
  if (has_tensor_scale(layer.recipe())) return transposed_codes(layer, named(role, "codes_t"), rows);
  if (has_block_scales(layer.recipe()))
    return grid_of(layer.recipe(), role) == ScaleGrid::squares ? turned_squares(layer, role, rows)
                                                               : in_blocks(layer, role, from, true, k_parts);
  std::vector<Operand> turned = rows;
  for (Operand& operand : turned) operand.transposed = true;
  return turned;
}

Gathered gather_rows(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards) {
  return gather(layer, name, shards, true);
}

Gathered gather_columns(LayerFlow& layer, const std::string& name, const std::vector<Operand>& shards) {
  return gather(layer, name, shards, false);
}

}  // namespace lockstep
