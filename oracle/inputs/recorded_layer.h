// One tensor-parallel GEMM as it was recorded, on all ranks or a piece of it.
//
//   kernel               input of r           weight of r          output of r
//   all_gather_gemm      [tokens of r, in]    [out of r, in]       [tokens, out of r]     the inputs of all ranks
//   gemm_reduce_scatter  [tokens, in of r]    [out, in of r]       [tokens of r, out]     summed over the ranks
//   gemm_by_rows         [tokens of r, in]    [out, in]            [tokens of r, out]     each rank alone
//   gemm_by_columns      [tokens, in]         [out of r, in]       [tokens, out of r]     each rank alone
//
// "x of r" is part(x, tp, r); output = input weight^T, with scales and a bias [1, out] or [1, out of r] where there are
// some. A file has it as a kernel (recorded_kernel.h) or as a part of a layer (recorded_linear.h).
#pragma once

#include "oracle/inputs/recorded_piece.h"
#include "oracle/inputs/recorded_reduction.h"
#include "oracle/inputs/stored_matrix.h"
#include "reference/contract/problem.h"
#include "reference/numerics/gemm.h"

namespace lockstep {

enum class RecordedKernel { all_gather_gemm, gemm_reduce_scatter, gemm_by_rows, gemm_by_columns };

struct RecordedRank {
  GemmInputs inputs;
  Tensor output;
};

// What is said of a kernel, and what its bits depend on.
struct RecordedLayer {
  RecordedKernel kernel = RecordedKernel::all_gather_gemm;
  Problem problem;                                  // tp, tokens, in, out
  std::optional<bool> fast_accumulate = false;      // none: not known
  std::optional<RecordedReduction> reduction = {};  // none: not known
  std::vector<RecordedRank> ranks = {};
  std::string output = "output";      // rank<r>.output
  bool is_hopper = true;              // else not known what sums
  bool adds_bias_late = false;        // to the rounded output, which is rounded once more
  bool rounds_every_sum = false;      // of a row of ones: each addition, to the output's type
  std::optional<PieceOf> piece = {};  // of a reduction: rows that one rank keeps; else of one rank

  bool reduces() const { return kernel == RecordedKernel::gemm_reduce_scatter; }
  bool gathers() const { return kernel == RecordedKernel::all_gather_gemm; }
  // Whether the ranks' outputs lie one below the other; else beside each other.
  bool is_by_rows() const { return reduces() || kernel == RecordedKernel::gemm_by_rows; }
  // The rows that a rank keeps of a reduction.
  Range kept_by(Index rank) const;
  // Whether the file says all that its bits depend on.
  bool is_declared() const { return is_hopper && fast_accumulate && (reduction || !reduces()); }
};

struct StoredRank {
  StoredMatrix input, weight, output;
  std::optional<StoredMatrix> input_scale = {}, weight_scale = {}, bias = {};
};

// The same where it lies, checked.
struct StoredLayer {
  RecordedLayer layer;  // without ranks
  std::vector<StoredRank> ranks;
};

RecordedLayer load(const StoredLayer& stored);
// The rows of a piece of an all_gather_gemm are of one source.
RecordedLayer load(const StoredLayer& stored, const Piece& piece);

// Of a file with a kernel.
RecordedLayer recorded_layer(const Safetensors& file);

}  // namespace lockstep
