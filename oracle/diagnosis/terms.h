// An output on exact data as the sum that it is, over whole matrices:
//
//   C[i, j] = start[i, j] + sum over shards s of S_s[i, j] + the bias       S_s[i, j] = sum over k in s of a[i, k] b[j,
//   k]
//
//              a [m, K]        b [n, K]       shards of K
//   y          X               W              row: the ranks' columns of X      column: one
//   dx         dY              W^T            row: one                          column: the ranks' rows of W
//   dw         dY^T            X^T            the ranks' tokens
//   db         ones            dY^T           row: the ranks' tokens            column: one
//   main_grad  dY^T, the calls one after the other   X^T     the calls
//
// Under FP8 recipes too: exact data survives its quantisation.
#pragma once

#include "oracle/judges/judge.h"

namespace lockstep {

struct Terms {
  std::string a_name, b_name;
  Matrix a, b;
  std::vector<Range> shards;
  std::vector<std::string> names;  // of the shards: "rank 2", "the tokens of rank 2", "the product", "dW of call 0"
  std::vector<MatrixOf<double>> products;  // S_s [m, n]
  MatrixOf<double> product;                // their sum
  Matrix bias;                             // [ranks, n], or empty
  bool bias_is_summed = false;             // over the ranks; else each holder adds its own
  std::vector<double> bias_sum;            // [n], where it is
  Matrix start;                            // [m, n], or empty

  double bias_at(Index holder, Index j) const {
    return bias.values.empty() ? 0 : bias_is_summed ? bias_sum[static_cast<std::size_t>(j)] : bias(holder, j);
  }
  double start_at(Index i, Index j) const { return start.values.empty() ? 0 : start(i, j); }
  double value(Index holder, Index i, Index j) const { return start_at(i, j) + product(i, j) + bias_at(holder, j); }
  bool has_bias() const { return !bias.values.empty(); }
  bool is_all_reduced = false;  // each rank adds up its part of the rows and hands it to the others

  // The rank that adds up an element that `holder` holds.
  Index adder(Index holder, Index i) const {
    return is_all_reduced ? part_holding(product.rows, std::ssize(shards), i) : holder;
  }
  // Whether each rank has a shard.
  bool by_rank() const { return names.size() > 1 && !names.front().starts_with("dW"); }
  bool by_tokens() const { return names.front().starts_with("the tokens"); }
  // What is added after the sum over the shards.
  double after(Index holder, Index j) const { return bias_is_summed ? 0 : bias_at(holder, j); }
};

// Sum over k in `range` of a[i, k] b[j, k].
double dot(const Matrix& a, Index i, const Matrix& b, Index j, const Range& range);

// None where data is not exact, of the gradient of a bias after the reduction (each rank's own tokens alone), or where
// there would be more than 2^31 products or 2^25 elements of S to compute.
std::optional<Terms> terms_of(const Prepared& prepared, Index call, const std::string& output);

}  // namespace lockstep
