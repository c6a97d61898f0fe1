#include "fused/fuser/tensor_scale.h"

namespace lockstep {
namespace {

// The largest over the group, on every rank.
std::vector<Region> over_the_group(LayerFlow& layer, Role role, const std::vector<Region>& local) {
  Flow& flow = layer.flow;
  const Index ranks = flow.ranks();
  const auto all = flow.plan.matrices(named(role, "amaxes"), BufferKind::userbuffer, DType::f32, [=](Index) {
    return Shape{1, ranks};
  });
  const auto largest = flow.plan.matrices(named(role, "amax"), BufferKind::workspace, DType::f32, scalar_of_rank);
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
  const auto amax =
      layer.flow.plan.matrices(named(role, "local_amax"), BufferKind::workspace, DType::f32, scalar_of_rank);
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank) layer.flow.then(rank, Amax{on(from, rank), on(amax, rank)});
  return amax;
}

std::vector<Region> scale_from_now(LayerFlow& layer, Role role, const std::vector<Region>& from) {
  auto amax = local_amax(layer, role, from);
  if (is_gathered(layer.problem, role)) amax = over_the_group(layer, role, amax);
  const auto scale = layer.flow.plan.matrices(named(role, "scale"), BufferKind::workspace, DType::f32, scalar_of_rank);
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank)
    layer.flow.then(rank, ScaleFromAmax{on(amax, rank), fp8_type(role), on(scale, rank)});
  return scale;
}

}  // namespace

std::vector<Region> scale_of(LayerFlow& layer, Role role, const std::vector<Region>& from) {
  if (layer.recipe().kind == RecipeKind::current) return scale_from_now(layer, role, from);
  KeptScale& kept = layer.kept.at(role);
  kept.amax = local_amax(layer, role, from);
  return kept.scale;
}

void keep_scales(LayerFlow& layer, Pass pass) {
  if (layer.recipe().kind != RecipeKind::delayed) return;
  PlanBuilder& plan = layer.flow.plan;
  for (Role role : roles_of(layer.problem, pass)) {
    KeptScale& kept = layer.kept[role];
    kept.scale = plan.matrices(scale_name(role), BufferKind::state, DType::f32, scalar_of_rank);
    kept.history = plan.matrices(history_name(role), BufferKind::state, DType::f32, [&](Index) {
      return Shape{1, layer.recipe().history};
    });
    if (is_gathered(layer.problem, role)) plan.replicate(kept.scale), plan.replicate(kept.history);
    if (role == Role::y || role == Role::dx)
      kept.amax = plan.matrices(named(role, "amax"), BufferKind::workspace, DType::f32, scalar_of_rank);
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

}  // namespace lockstep
