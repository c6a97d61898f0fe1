// The tail of a loop over vectors, tiles or segments.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"
#include "oracle/faults/words.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::remainder;

constexpr Index vector_width = 8;

Range whole_vectors(Index cols) { return {0, cols / vector_width * vector_width}; }

Fault reduction_tail_dropped() {
  return everywhere({"reduction_tail_dropped", kind, 2,
                     "deepseek-ai/DeepEP #413, tenstorrent/tt-metal #25212, pytorch/pytorch #164015, Userbuffers: 32 "
                     "elements a thread",
                     "a reduction works in whole vectors, and the rest of a row is left out"},
                    "the columns of a reduction that do not fill a vector of 8 are not written",
                    on_each<Reduce>([](const Plan&, const PlanOp&, Reduce& r) {
                      const Range cols = whole_vectors(r.d.cols);
                      const bool has_tail = r.reduction == Reduction::sum && cols.size() < r.d.cols && r.d.rows > 0;
                      for (Region& source : r.sources) source = cols_of(source, cols);
                      r.d = cols_of(r.d, cols);
                      return has_tail;
                    }));
}

Fault message_tail_dropped() {
  return everywhere({"message_tail_dropped", kind, 2, "tenstorrent/tt-metal #57358",
                     "a message is sent in whole vectors, and the rest of a row is left behind"},
                    "the columns of a message that do not fill a vector of 8 are not sent",
                    on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
                      const Range cols = whole_vectors(c.to.cols);
                      const bool has_tail = is_push(plan, op) && cols.size() < c.to.cols && c.to.rows > 0 &&
                                            !is_in(plan, c.to, ".scale_inv");
                      c.from = cols_of(c.from, cols), c.to = cols_of(c.to, cols);
                      return has_tail;
                    }));
}

Fault half_a_message_sent() {
  return everywhere({"half_a_message_sent", kind, 2, "tenstorrent/tt-metal #57358",
                     "the length of a loop and the size of its segments are taken from different settings"},
                    "only the first half of the rows of a message is sent",
                    on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
                      const Range rows = part(c.to.rows, 2, 0);
                      const bool has_more = is_push(plan, op) && rows.size() < c.to.rows && c.to.cols > 0;
                      c.from = rows_of(c.from, rows), c.to = rows_of(c.to, rows);
                      return has_more;
                    }));
}

Fault last_tile_not_written() {
  return everywhere({"last_tile_not_written", kind, 2, "flashinfer-ai/flashinfer #2261, NVIDIA-NeMo/RL #1551",
                     "a last tile that is not a whole one is not written"},
                    "the columns of a GEMM that do not fill a tile of 16 are not written",
                    on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
                      constexpr Index tile = 16;
                      const Range cols{0, g.d.cols / tile * tile};
                      const bool has_tail = granule(g.b) == 1 && cols.size() < g.d.cols && g.d.rows > 0;
                      if (!has_tail) return false;
                      g.b = rows_of(g.b, cols), g.d = cols_of(g.d, cols);
                      if (g.bias) g.bias = cols_of(*g.bias, cols);
                      if (g.c) g.c = cols_of(*g.c, cols);
                      return true;
                    }));
}

Fault aligned_down() {
  return everywhere({"aligned_down", kind, 2, "NVIDIA/nccl b3aeda4a",
                     "a load of whole vectors begins at the aligned address before the one that is meant"},
                    "a reduction reads from the multiple of 8 elements before its sources",
                    on_each<Reduce>([](const Plan&, const PlanOp&, Reduce& r) {
                      bool changed = false;
                      for (Region& source : r.sources) {
                        const Index aligned = source.offset / vector_width * vector_width;
                        changed |= std::exchange(source.offset, aligned) != aligned;
                      }
                      return changed && is_sum_over_ranks(r) && !r.d.empty();
                    }));
}

}  // namespace

std::vector<Fault> tail_faults() {
  return {aligned_down(), half_a_message_sent(), reduction_tail_dropped(), message_tail_dropped(),
          last_tile_not_written()};
}

}  // namespace lockstep
