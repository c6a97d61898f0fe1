// GEMM + ReduceScatter over P ranks, whatever the schedule:
//
//   D_q = rows part(m, P, q) of the sum over r of (A_r B_r^T + bias_r)        A_r [m, k of r], B_r [n, k of r]
//
// Each rank's partial sums are rounded to the wire type (FP8: times the rank's own scale). The schedules differ in what
// they split, in the order of the sum and in how often it is rounded; each says so.
#pragma once

#include "fused/plan/flow.h"

namespace lockstep {

// FP8 on the wire: the scale [1, 1] of each rank, and where the amax [1, 1] of its partials goes.
struct WireScales {
  std::vector<Region> scale;
  std::vector<Region> amax;
};

struct GemmReduceScatter {
  std::string name;            // of its buffers and counters: "fprop", "dgrad"
  std::vector<Operand> a, b;   // of each rank
  std::vector<Region> bias{};  // [1, n] of each rank, or none at all
  DType wire = DType::bf16;
  std::vector<Region> d{};  // of each rank
  std::optional<WireScales> scales{};

  Index rows() const { return a.front().rows(); }
  Index cols() const { return b.front().rows(); }
};

// The product of `rows` of A and `cols` of B on a rank, to d.
Gemm gemm_of(const GemmReduceScatter& g, Index rank, const Range& rows, const Range& cols, const Region& d);

// Scales of the wire within a call: where each rank's inverse stands for all to read, and an amax for each of the
// `pieces` GEMMs of a rank, reduced to one at the end.
struct WireUse {
  std::vector<Region> inverse;  // [1, 1] in the Userbuffers; empty: no scales
  std::vector<Region> amaxes;   // [1, pieces]
};

WireUse begin_wire(Flow& flow, const GemmReduceScatter& g, Index pieces);
void add_wire(Gemm& gemm, const GemmReduceScatter& g, const WireUse& wire, Index rank, Index piece);
void end_wire(Flow& flow, const GemmReduceScatter& g, const WireUse& wire);

}  // namespace lockstep
