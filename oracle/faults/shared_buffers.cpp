// Two things in one buffer at the same time.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::reuse;

Index buffer_named(const Plan& plan, std::string_view name) {
  return std::ranges::find(plan.buffers, name, &Buffer::name) - plan.buffers.begin();
}

Fault halves_share_workspace() {
  return on_regions({"halves_share_workspace", kind, 7, "NVIDIA/TransformerEngine #1045",
                     "GEMMs on several streams share one workspace"},
                    "both halves of a chunk are computed in the same workspace",
                    [](const Plan& plan, const PlanOp&, Region& region) {
                      std::string name = buffer_of(plan, region).name;
                      const auto at = name.find(".half1.leaving");
                      if (at == name.npos || region.empty()) return false;
                      region.buffer = buffer_named(plan, name.replace(at, 6, ".half0"));
                      return fits(plan, region);
                    });
}

Fault leaving_slot_reused() {
  return on_regions({"leaving_slot_reused", kind, 7, "NVIDIA/Megatron-LM #6060",
                     "one send buffer instead of several: the next GEMM overwrites what is still being sent"},
                    "the sums of every step leave from one slot", [](const Plan& plan, const PlanOp&, Region& region) {
                      return is_in(plan, region, ".leaving") && std::exchange(region.offset, 0) != 0;
                    });
}

Fault arriving_slot_reused() {
  return on_regions({"arriving_slot_reused", kind, 7, "of the kind of NVIDIA/nccl #1924",
                     "one receive buffer instead of several: the next message overwrites the one before"},
                    "the sums of every step arrive in one slot", [](const Plan& plan, const PlanOp&, Region& region) {
                      return is_in(plan, region, ".arriving") && std::exchange(region.offset, 0) != 0;
                    });
}

Index slot_size(const Plan& plan, const Region& region) { return elements_of(plan, region) / (2 * plan.ranks - 1); }

Fault send_slot_reused() {
  return on_regions(
      {"send_slot_reused", kind, 7, "of the kind of NVIDIA/Megatron-LM #6060",
       "every chunk is computed in the same slot, while the one before is still being sent"},
      "all chunks for other ranks are computed in one slot", [](const Plan& plan, const PlanOp&, Region& region) {
        const bool sends = is_in(plan, region, ".slots") && region.offset < (plan.ranks - 1) * slot_size(plan, region);
        return sends && std::exchange(region.offset, 0) != 0;
      });
}

// How many rows all slots hold that a rank computes.
Index rows_of_slots(const Plan& plan, const Region& in) {
  Index rows = 0;
  for (const PlanOp& op : plan.ops)
    if (const auto* gemm = std::get_if<Gemm>(&op.body); gemm && op.rank == 0 && gemm->d.buffer == in.buffer)
      rows += gemm->d.rows;
  return rows;
}

Fault slots_overlap() {
  return on_regions({"slots_overlap", kind, 7, "tenstorrent/tt-metal #39167",
                     "slots are laid out for rows / ranks rounded down, and the larger chunks reach into the next"},
                    "the slots are too small for the larger chunks, which reach into the next slot",
                    [](const Plan& plan, const PlanOp&, Region& region) {
                      const Index size = is_in(plan, region, ".slots") ? slot_size(plan, region) : 0;
                      if (size == 0) return false;
                      const Index slot = region.offset / size, rows = rows_of_slots(plan, region) / plan.ranks;
                      return std::exchange(region.offset, slot * rows * region.ld) != region.offset;
                    });
}

Fault amaxes_share_a_slot() {
  return on_regions(
      {"amaxes_share_a_slot", kind, 7, "NVIDIA/TransformerEngine #1045, Userbuffers: one amax of all chunks",
       "the GEMMs of all chunks write their amax to the same place"},
      "the GEMMs of all chunks write their amax to one place", [](const Plan& plan, const PlanOp&, Region& region) {
        return is_in(plan, region, ".amaxes") && buffer_of(plan, region).kind == BufferKind::workspace &&
               std::exchange(region.offset, 0) != 0;
      });
}

// Where the panel begins that a rank computes in a split.
Index panel_of(const Plan& plan, Index split, Index buffer) {
  for (const PlanOp& op : plan.ops)
    if (const auto* gemm = std::get_if<Gemm>(&op.body); gemm && op.split == split && gemm->d.buffer == buffer)
      return gemm->d.offset;
  return 0;
}

Fault panels_share_a_buffer() {
  return on_regions({"panels_share_a_buffer", kind, 7, "NVIDIA/nccl #1924, NVIDIA/Megatron-LM #5222",
                     "a single buffer where two alternate: the next panel overwrites the one being reduced"},
                    "every panel is computed in the place of the first",
                    [](const Plan& plan, const PlanOp& op, Region& region) {
                      if (!is_in(plan, region, ".panels")) return false;
                      const Index begin = panel_of(plan, op.split, region.buffer);
                      region.offset -= begin;
                      return begin != 0;
                    });
}

Fault passes_share_a_buffer() {
  return on_regions({"passes_share_a_buffer", kind, 7, "NVIDIA/TransformerEngine #588, #727",
                     "two layers or passes gather into the same Userbuffers"},
                    "the backward pass gathers into the buffer of the forward pass",
                    [](const Plan& plan, const PlanOp&, Region& region) {
                      const Buffer& buffer = buffer_of(plan, region);
                      const Index other = buffer_named(plan, "fprop.gathered");
                      if (buffer.name != "dgrad.gathered" || other == std::ssize(plan.buffers)) return false;
                      const Buffer& of_forward = plan.buffers[static_cast<std::size_t>(other)];
                      region.buffer = other;
                      return of_forward.dtype == buffer.dtype && of_forward.elements == buffer.elements;
                    });
}

// The GEMM that runs beside a reduction computes in the buffer that is being reduced.
std::optional<Region> scratch_in_partials(const Plan& plan, const Gemm& gemm) {
  const bool is_dw = is_in(plan, gemm.d, "dw") || is_in(plan, gemm.d, "main_grad");
  const Index partials = buffer_named(plan, "wgrad.partials");
  if (!is_dw || partials == std::ssize(plan.buffers) || gemm.c) return {};
  Region scratch = gemm.d;
  scratch.buffer = partials, scratch.offset = 0, scratch.ld = gemm.d.cols;
  if (buffer_of(plan, scratch).dtype != buffer_of(plan, gemm.d).dtype || !fits(plan, scratch)) return {};
  return scratch;
}

Fault wgrad_in_partials() {
  return whole({"wgrad_in_partials", kind, 7, "NVIDIA/Megatron-LM #5222, NVIDIA/TransformerEngine #2921",
                "the weight's gradient is computed in a buffer that is still being reduced"},
               "the weight's gradient is computed in the buffer of the partial sums that are being reduced",
               [](const Plan& plan) {
                 return rebuilt(plan, [&](const PlanOp& op, Index, std::vector<PlanOp>& ops) {
                   ops.push_back(op);
                   auto* gemm = std::get_if<Gemm>(&ops.back().body);
                   const auto scratch = gemm ? scratch_in_partials(plan, *gemm) : std::nullopt;
                   if (!scratch) return;
                   const Region d = std::exchange(gemm->d, *scratch);
                   ops.push_back({Copy{*scratch, d}, op.rank, op.lane, op.split, {}});
                 });
               });
}

}  // namespace

std::vector<Fault> shared_buffer_faults() {
  return {halves_share_workspace(), leaving_slot_reused(),   arriving_slot_reused(),
          send_slot_reused(),       slots_overlap(),         amaxes_share_a_slot(),
          panels_share_a_buffer(),  passes_share_a_buffer(), wgrad_in_partials()};
}

}  // namespace lockstep
