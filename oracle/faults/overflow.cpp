// Offsets and counts in too few bits; and what lies outside a buffer.
//
// 32 bits are too few for tensors that no test allocates. What happens there happens here to the highest bit that the
// largest offset or count of the plan has.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lockstep {
namespace {

Index high_bit(Index value) {
  return value <= 0 ? 0 : static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(value)));
}

// Where chunks are written to.
const Region* target(const PlanBody& body) {
  if (const auto* gemm = std::get_if<Gemm>(&body)) return &gemm->d;
  if (const auto* reduce = std::get_if<Reduce>(&body)) return &reduce->d;
  if (const auto* copy = std::get_if<Copy>(&body)) return &copy->to;
  return nullptr;
}
Region* target(PlanBody& body) { return const_cast<Region*>(target(std::as_const(body))); }

Index largest_offset(const Plan& plan, Index buffer) {
  Index largest = 0;
  for (const PlanOp& op : plan.ops)
    if (const Region* to = target(op.body); to && to->buffer == buffer && !to->empty())
      largest = std::max(largest, to->offset);
  return largest;
}

// Of every target whose offset has the highest bit that one into its buffer has.
Fault on_high_offsets(FaultName named, std::string says, std::function<void(Region&, Index bit)> change) {
  return whole(named, std::move(says), [change](const Plan& plan) {
    std::vector<Index> bits;  // of each buffer
    for (Index buffer = 0; buffer < std::ssize(plan.buffers); ++buffer)
      bits.push_back(high_bit(largest_offset(plan, buffer)));
    Plan changed = plan;
    for (PlanOp& op : changed.ops) {
      Region* to = target(op.body);
      if (!to || to->empty()) continue;
      if (const Index bit = bits[static_cast<std::size_t>(to->buffer)]; (to->offset & bit) != 0) change(*to, bit);
    }
    return changed;
  });
}

Fault offset_wraps() {
  return on_high_offsets({"offset_wraps", FaultClass::overflow, 8,
                          "HazyResearch/ThunderKittens 5bc9695e, d81b707d, Userbuffers: offsets of 32 bits",
                          "an offset has too few bits, and starts again at the beginning of the buffer"},
                         "the offset of a chunk loses its highest bit",
                         [](Region& to, Index bit) { to.offset -= bit; });
}

Fault offset_turns_negative() {
  return on_high_offsets({"offset_turns_negative", FaultClass::bounds, 8, "open-mpi/ompi #9606",
                          "an offset is multiplied in a signed type of too few bits, and turns negative"},
                         "the highest bit of the offset of a chunk becomes its sign",
                         [](Region& to, Index bit) { to.offset -= 2 * bit; });
}

Index most_rows_pushed(const Plan& plan) {
  Index most = 0;
  for (const PlanOp& op : plan.ops)
    if (is_push(plan, op)) most = std::max(most, std::get<Copy>(op.body).to.rows);
  return most;
}

Fault count_wraps() {
  return whole({"count_wraps", FaultClass::overflow, 8, "Userbuffers: counts of bytes in 32 bits",
                "the size of a message has too few bits, and only the rest of it is sent"},
               "the number of rows of a message loses its highest bit", [](const Plan& plan) {
                 const Index bit = high_bit(most_rows_pushed(plan));
                 Plan changed = plan;
                 for (PlanOp& op : changed.ops) {
                   if (!is_push(plan, op)) continue;
                   Copy& copy = std::get<Copy>(op.body);
                   if ((copy.to.rows & bit) != 0 && !copy.to.empty()) copy.to.rows -= bit, copy.from.rows -= bit;
                 }
                 return changed;
               });
}

bool is_shared(const Buffer& buffer) {
  const auto is = [&](std::string_view suffix) { return std::string_view(buffer.name).ends_with(suffix); };
  return buffer.kind == BufferKind::userbuffer &&
         (is(".gathered") || is(".panels") || is(".slots") || is(".arriving") || is(".partials") || is(".sums"));
}

Fault userbuffer_too_small() {
  return whole({"userbuffer_too_small", FaultClass::bounds, 7,
                "ByteDance-Seed/Triton-distributed #139, verl-project/verl #5663, NVIDIA/TransformerEngine #1303",
                "the Userbuffers are smaller than what one call puts into them"},
               "the Userbuffers are one element too small", [](const Plan& plan) {
                 Plan changed = plan;
                 for (Buffer& buffer : changed.buffers)
                   for (Index& elements : buffer.elements)
                     if (is_shared(buffer) && elements > 0) --elements;
                 return changed;
               });
}

Fault output_past_its_buffer() {
  return everywhere({"output_past_its_buffer", FaultClass::bounds, 7, "NVIDIA/TensorRT-LLM #5698",
                     "an output of the wrong shape is written past its buffer"},
                    "the last rows of an output are written one row past its end",
                    [](const Plan& plan, const PlanOp& op) -> std::optional<PlanBody> {
                      PlanBody body = op.body;
                      Region* to = target(body);
                      if (!to || to->empty() || buffer_of(plan, *to).kind != BufferKind::output) return {};
                      if (to->end() != elements_of(plan, *to)) return {};
                      to->offset += to->ld;
                      return body;
                    });
}

Fault counters_of(FaultName named, std::string says, Index bits, bool wraps) {
  return whole(named, std::move(says), [=](const Plan& plan) {
    Plan changed = plan;
    for (Counter& counter : changed.counters) counter.bits = bits, counter.wraps = wraps;
    return changed;
  });
}

Fault signed_counters() {
  return counters_of({"signed_counters", FaultClass::order, 8, "NVIDIA/TransformerEngine #729",
                      "sequence numbers of 32 bits are compared as signed numbers: past 2^31 nobody waits, or all do"},
                     "counters have 32 bits and are compared as signed numbers", 32, false);
}

Fault narrow_counters() {
  return counters_of({"narrow_counters", FaultClass::order, 8, "of the kind of NVIDIA/TransformerEngine #409",
                      "a counter has fewer bits than what is expected of it is counted in: it hangs after many calls"},
                     "counters have 16 bits", 16, true);
}

}  // namespace

std::vector<Fault> overflow_faults() {
  return {signed_counters(),       narrow_counters(),      offset_wraps(),          count_wraps(),
          offset_turns_negative(), userbuffer_too_small(), output_past_its_buffer()};
}

}  // namespace lockstep
