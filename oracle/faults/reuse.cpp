// Buffers that are handed back too early, taken to hold what they held before, or too small.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::reuse;

Fault handback_missing() {
  return left_out({"handback_missing", kind, 7,
                   "Userbuffers: nothing hands a communicator's buffers back, NVIDIA/nccl #1924, "
                   "HazyResearch/ThunderKittens 1a43d9fb",
                   "the next call writes to the Userbuffers while a late rank still reads them"},
                  "a call begins without waiting until the others are done with the one before",
                  [](const Plan& plan, const PlanOp& op) { return waits_for(plan, op, "done"); });
}

Fault handback_early() {
  return whole({"handback_early", kind, 7, "deepseek-ai/DeepEP #310, NVIDIA/nvshmem #98",
                "buffers are handed back at the start of a call instead of its end"},
               "a call says at its start that it is done with the Userbuffers", [](const Plan& plan) {
                 return rebuilt(plan, [&](const PlanOp& op, Index, std::vector<PlanOp>& ops) {
                   if (signals(plan, op, "done")) return;
                   ops.push_back(op);
                   if (!std::holds_alternative<Begin>(op.body)) return;
                   for (Index i = 0; i < std::ssize(plan.ops); ++i) {
                     PlanOp done = plan.ops[static_cast<std::size_t>(i)];
                     if (done.rank != op.rank || !signals(plan, done, "done")) continue;
                     done.after = {std::ssize(ops) - 1};
                     ops.push_back(done);
                   }
                 });
               });
}

// What hands a result over that stands in the Userbuffers.
bool is_handing_over(const Plan& plan, const PlanOp& op) {
  const auto* copy = std::get_if<Copy>(&op.body);
  return copy && (is_in(plan, copy->from, ".partials") || is_in(plan, copy->from, ".sums")) &&
         !is_in(plan, copy->to, ".sums");
}

Fault output_is_a_view() {
  return whole({"output_is_a_view", kind, 7, "NVIDIA/TransformerEngine #1711, #1625",
                "the result is a view of the Userbuffers, read after the next call may have overwritten them"},
               "the result is taken from the Userbuffers after the call has ended", [](const Plan& plan) {
                 Plan changed = rebuilt(plan, [&](const PlanOp& op, Index, std::vector<PlanOp>& ops) {
                   if (is_handing_over(plan, op)) return;
                   ops.push_back(op);
                   if (!std::holds_alternative<End>(op.body)) return;
                   const Index end = std::ssize(ops) - 1;
                   for (const PlanOp& other : plan.ops)
                     if (other.rank == op.rank && is_handing_over(plan, other))
                       ops.push_back({other.body, op.rank, std::ssize(plan.lanes), other.split, {end}});
                 });
                 if (changed != plan) changed.lanes.emplace_back("afterwards");
                 return changed;
               });
}

bool is_own_chunk(const Plan& plan, const PlanOp& op) {
  const auto* copy = std::get_if<Copy>(&op.body);
  return copy && copy->to.rank == op.rank && !copy->to.empty() && is_in(plan, copy->to, ".gathered");
}

Fault own_chunk_not_placed() {
  return left_out(
      {"own_chunk_not_placed", kind, 7, "NVIDIA/TransformerEngine #1554, #727",
       "what was saved for the backward pass is a view of the Userbuffers, where others have written since"},
      "a rank takes its own chunk to be in the Userbuffers already", is_own_chunk);
}

Fault last_chunk_clipped() {
  return on_regions({"last_chunk_clipped", kind, 7, "ByteDance-Seed/Triton-distributed #139, verl-project/verl #5663",
                     "the Userbuffers are a row too small, and the last chunk is moved up to fit"},
                    "the last chunk stands one row too early, over the end of the one before",
                    [](const Plan& plan, const PlanOp& op, Region& region) {
                      const auto* copy = std::get_if<Copy>(&op.body);
                      const bool last = copy && region == copy->to && !region.empty() &&
                                        is_in(plan, region, ".gathered") && region.ld == region.cols &&
                                        region.end() == elements_of(plan, region) && region.offset >= region.ld;
                      if (last) region.offset -= region.ld;
                      return last;
                    });
}

Fault whole_tile_copied() {
  return everywhere({"whole_tile_copied", kind, 2, "deepseek-ai/DeepGEMM b0d6481",
                     "the last tile of a copy is a whole one, and reaches into what follows"},
                    "a message is rounded up to whole tiles of rows, and overwrites the first rows of the next chunk",
                    on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
                      constexpr Index tile = 4;
                      const Index rows = (c.to.rows + tile - 1) / tile * tile;
                      if (!is_push(plan, op) || !is_in(plan, c.to, ".gathered") || c.to.ld != c.to.cols) return false;
                      const bool rounded = std::exchange(c.to.rows, rows) != rows && !c.to.empty();
                      c.from.rows = rows;
                      return rounded && fits(plan, c.to) && fits(plan, c.from);
                    }));
}

}  // namespace

std::vector<Fault> reuse_faults() {
  return {output_is_a_view(),  own_chunk_not_placed(), last_chunk_clipped(),
          whole_tile_copied(), handback_early(),       handback_missing()};
}

}  // namespace lockstep
