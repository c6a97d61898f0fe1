// The scale of another block.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::scale;

struct Side {
  Operand Gemm::*operand;
  char name;
};

constexpr Side both_sides[] = {{&Gemm::a, 'A'}, {&Gemm::b, 'B'}};

bool is_in_blocks(const Operand& operand) { return operand.scales && operand.scales->grid != ScaleGrid::tensor; }

// Along features: a layer with a bias has exact data in which the blocks of tokens are alike (planted_exponents.h).
bool has_two_blocks_of_k(const Operand& operand) {
  return is_in_blocks(operand) && operand.scales->k_parts == 1 && operand.scales->inverse.rows > 0 &&
         operand.scales->inverse.cols > 1;
}

// The sides that have two blocks in some GEMM of the plan.
std::vector<Side> sides_of(const Plan& plan) {
  std::vector<Side> sides;
  for (const Side& side : both_sides)
    if (std::ranges::any_of(plan.ops, [&](const PlanOp& op) {
          const auto* gemm = std::get_if<Gemm>(&op.body);
          return gemm && has_two_blocks_of_k(gemm->*side.operand);
        }))
      sides.push_back(side);
  return sides;
}

Side side_at(const Plan& plan, Index site) { return sides_of(plan)[static_cast<std::size_t>(site)]; }

// A workspace for the same scales, which are copied to it, each block of K's to the block after it; the first keeps its
// own.
std::vector<PlanBody> move_scales(Plan& plan, Region& scales) {
  Buffer copy{fmt::format("moved_scales.{}", plan.buffers.size()), BufferKind::workspace, buffer_of(plan, scales).dtype,
              std::vector<Index>(static_cast<std::size_t>(plan.ranks), 0)};
  copy.elements[static_cast<std::size_t>(scales.rank)] = scales.rows * scales.cols;
  const Region moved{std::ssize(plan.buffers), scales.rank, 0, scales.rows, scales.cols, scales.cols};
  plan.buffers.push_back(std::move(copy));
  std::vector<PlanBody> copies;
  for (Index b = 0; b < scales.cols; ++b) {
    const Index from = std::max<Index>(b - 1, 0);
    copies.push_back(Copy{cols_of(scales, {from, from + 1}), cols_of(moved, {b, b + 1})});
  }
  scales = moved;
  return copies;
}

Plan with_moved_scales(const Plan& plan, Operand Gemm::*side) {
  Plan changed = plan;
  changed.ops.clear();
  std::vector<Index> stands_at;
  for (PlanOp op : plan.ops) {
    for (Index& before : op.after) before = stands_at[static_cast<std::size_t>(before)];
    if (auto* gemm = std::get_if<Gemm>(&op.body); gemm && has_two_blocks_of_k(gemm->*side))
      for (PlanBody& copy : move_scales(changed, (gemm->*side).scales->inverse))
        changed.ops.push_back({std::move(copy), op.rank, op.lane, op.split, op.after});
    changed.ops.push_back(std::move(op));
    stands_at.push_back(std::ssize(changed.ops) - 1);
  }
  return changed;
}

Fault scale_of_block_before() {
  return {{"scale_of_block_before", kind, 5, "NVIDIA/cutlass #3394",
           "a GEMM takes block scales by the index of another tile"},
          [](const Plan& plan) { return std::ssize(sides_of(plan)); },
          [](const Plan& plan, Index site) { return with_moved_scales(plan, side_at(plan, site).operand); },
          [](const Plan& plan, Index site) {
            return fmt::format("each block of K of {} is multiplied by the scale of the block before it",
                               side_at(plan, site).name);
          }};
}

Fault weight_scales_not_advanced() {
  return everywhere({"weight_scales_not_advanced", kind, 5, "NVIDIA/cutlass #2965, NVIDIA/TransformerEngine #1711",
                     "the pointer to the weight's block scales is not advanced with the split"},
                    "every split is multiplied by the block scales of the rows of W in split 0",
                    on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
                      return is_in_blocks(g.b) && std::exchange(g.b.scales->inverse.offset, 0) != 0;
                    }));
}

Fault squares_not_transposed() {
  return everywhere({"squares_not_transposed", kind, 5, "of the kind of NVIDIA/cutlass #3394",
                     "the codes of W are turned for the input's gradient, the scales of its squares are not"},
                    "the scales of the squares of W are read as if they had been turned, and were not",
                    [](const Plan& plan, const PlanOp& op) -> std::optional<PlanBody> {
                      const auto* turn = std::get_if<Transpose>(&op.body);
                      if (!turn || !is_in(plan, turn->to, "scale_inv_t")) return {};
                      Region from = turn->from;
                      if (from.rows < 2 || from.cols < 2 || from.ld != from.cols) return {};
                      from.rows = turn->to.rows, from.cols = from.ld = turn->to.cols;
                      return PlanBody{Copy{from, turn->to}};
                    });
}

}  // namespace

std::vector<Fault> block_scale_faults() {
  return {scale_of_block_before(), weight_scales_not_advanced(), squares_not_transposed()};
}

}  // namespace lockstep
