// One linear layer over P ranks, in one call: the shapes of all that it reads and writes.
//
//   row      Y = sum over r of (X_r W_r^T + b_r)     rank r holds the columns part(in, P, r) of X and W
//   column   Y_r = X W_r^T + b_r                     rank r holds the rows part(out, P, r) of W, b and columns of Y
//
//              row                         column
//   X_r, dX_r  [tokens, in of r]           [tokens of r, in]
//   W_r, dW_r  [out, in of r]              [out of r, in]
//   b_r, db_r  [1, out]                    [1, out of r]
//   Y_r, dY_r  [tokens of r, out]          [tokens, out of r]
//
// Sequence parallel: the tokens are divided where the features are not. With `all_reduce` (row) every rank keeps all of
// Y.
#pragma once

#include "reference/contract/overlap.h"
#include "reference/contract/partition.h"
#include "reference/contract/recipe.h"

#include <optional>

namespace lockstep {

enum class ParallelMode { none, column, row };
// per_rank: each rank its own, added before the reduction (row: so Y carries the sum of them); after: one for all,
// added to the reduced and rounded Y, which is rounded once more (row).
enum class BiasPlacement { none, per_rank, after };

struct Shape {
  Index rows = 0;
  Index cols = 0;
  bool operator==(const Shape&) const = default;
};

struct Problem {
  ParallelMode mode = ParallelMode::row;
  Index tp = 1;
  Index tokens = 0;
  Index in = 0;
  Index out = 0;
  DType dtype = DType::bf16;  // of X, W, b, Y and their gradients
  DType wire = DType::bf16;   // of what a rank hands to a reduction
  bool fp8_wire = false;      // instead: FP8, scaled by each rank's own scale
  BiasPlacement bias = BiasPlacement::none;
  Recipe recipe = {};
  bool all_reduce = false;              // of Y, in place of the reduce-scatter
  bool frozen = false;                  // no dW
  std::optional<DType> main_grad = {};  // dW is added to one of this type

  bool is_row() const { return mode == ParallelMode::row; }
  bool biased() const { return bias == BiasPlacement::per_rank; }
  DType wire_of(Role role) const { return fp8_wire ? fp8_type(role) : wire; }
  Range tokens_of(Index rank) const { return part(tokens, tp, rank); }
  Range in_of(Index rank) const { return is_row() ? part(in, tp, rank) : Range{0, in}; }
  Range out_of(Index rank) const { return is_row() ? Range{0, out} : part(out, tp, rank); }
  Range x_rows(Index rank) const { return is_row() ? Range{0, tokens} : tokens_of(rank); }
  Range y_rows(Index rank) const { return is_row() && !all_reduce ? tokens_of(rank) : Range{0, tokens}; }

  Shape x_of(Index rank) const { return {x_rows(rank).size(), in_of(rank).size()}; }
  Shape w_of(Index rank) const { return {out_of(rank).size(), in_of(rank).size()}; }
  Shape b_of(Index rank) const { return {1, bias == BiasPlacement::none ? 0 : out_of(rank).size()}; }
  Shape y_of(Index rank) const { return {y_rows(rank).size(), out_of(rank).size()}; }
  bool operator==(const Problem&) const = default;
};

// What a pass quantises, and so has scales for.
inline std::vector<Role> roles_of(const Problem& p, Pass pass) {
  std::vector<Role> roles;
  const bool forward = pass != Pass::backward, backward = pass != Pass::forward;
  if (forward || !p.frozen) roles.push_back(Role::x);
  roles.push_back(Role::w);
  if (backward) roles.push_back(Role::dy);
  if (forward && p.fp8_wire && p.is_row()) roles.push_back(Role::y);
  if (backward && p.fp8_wire && !p.is_row()) roles.push_back(Role::dx);
  return roles;
}

// Of those, the ones whose delayed scale the pass moves on: a backward pass alone takes X and W as the forward left
// them.
inline bool updates(Pass pass, Role role) {
  return role == Role::dy || role == Role::dx ? pass != Pass::forward : pass != Pass::backward;
}

// A matrix whose shards are gathered has one scale over the group.
inline bool is_gathered(const Problem& p, Role role) { return role == (p.is_row() ? Role::dy : Role::x); }

}  // namespace lockstep
