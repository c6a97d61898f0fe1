// The arithmetic of a plan's operations on the host: float, one rounding an operation, nothing contracted unless it
// says fma. The formulas are those of fused/plan/plan.h and reference/contract/recipe.h.
#pragma once

#include "reference/contract/partition.h"
#include "reference/contract/recipe.h"
#include "reference/contract/tensor.h"

namespace lockstep::host {

// D[i, j] = ((0 + a[i, k0] b[k0, j]) + a[i, k0 + 1] b[k0 + 1, j]) + ... over the k of the range, in order: a [m, K],
// b [K, n]. Wide across columns, never across k.
Matrix product(const Matrix& a, const Matrix& b, const Range& k);

// Where the scales of a block stand: of row i of A, of column j of B, for block number `block` of K.
struct BlockScales {
  const Matrix& a;  // [m, blocks]
  const Matrix& b;  // [n, blocks], or [blocks of n, blocks]
  Index rows_of_b;  // that share a scale; 1: each its own
};

// sum = fma(acc, scale_a * scale_b, sum) where rows of B share a scale, else sum = fma(acc * scale_a, scale_b, sum).
void fold(Matrix& sum, const Matrix& acc, const BlockScales& scales, Index block);

void multiply(Matrix& values, float factor);
// fma(sum, scale, +0): never -0 but of what is too small.
void scale_sums(Matrix& sums, float scale);
// D[i, j] += row[0, j]
void add_row(Matrix& d, const Matrix& row);
// sum += term, element by element
void accumulate(Matrix& sum, const Matrix& term);
void accumulate_larger(Matrix& largest, const Matrix& term);
// [1, n], rows in order
Matrix column_sums(const Matrix& values);

float amax(const Matrix& values);
float current_scale(DType format, float amax);
float delayed_scale(DType format, float amax, Index margin, float before);
// What values of a block are multiplied by.
float block_scale(RecipeKind recipe, DType format, float amax);

}  // namespace lockstep::host
