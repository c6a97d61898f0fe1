#include "fused/fuser/quantization.h"

#include "fused/fuser/tensor_scale.h"

namespace lockstep {
namespace {

std::vector<Region> workspace_as(LayerFlow& layer, const std::string& name, DType type, const std::vector<Region>& like,
                                 bool turned = false) {
  return layer.flow.plan.matrices(name, BufferKind::workspace, type, [&](Index rank) {
    const Region& region = on(like, rank);
    return turned ? Shape{region.cols, region.rows} : Shape{region.rows, region.cols};
  });
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
  const auto inverse =
      layer.flow.plan.matrices(named(role, "scale_inv"), BufferKind::workspace, DType::f32, scalar_of_rank);
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

}  // namespace

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

}  // namespace lockstep
