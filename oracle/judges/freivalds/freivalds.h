// Freivalds' check: whether  C = sum over t of A_t B_t^T + D  on exact data, in time linear in the sizes of the
// matrices, and which elements of C are wrong.
//
//   A_t [M, K_t], B_t [N, K_t], C and D [M, N]      of any storage type; a bias is the term of a column of ones and b
//
// Exact data are whole numbers of one quantum 2^q, found from A, B and D, whose sums of absolute values stay below 2^59
// quanta; what is not is refused. A value of C that is no whole number of quanta below 2^60, a NaN, an infinity or a -0
// is wrong.
//
// The check, modulo p = 2^61 - 1:  C x = sum of A_t (B_t^T x) + D x  for a random x. No difference of two numbers of
// quanta is a multiple of p. So a row with one wrong element is always found, one with several is missed with
// probability 1 / (p - 1) = 2^-61.
//
// Finding the elements, once a row is wrong:
//
//   one a row       by a second vector, x_j (j + 1): the quotient of the two residuals is the column. Computed anew in
//                   64-bit integers, and believed if it explains the residual
//   one a column    the same of the transposed claim, over the rows that are left
//   blocks          the rows that are left x the columns that are left, all computed anew
//
// What is computed anew is counted: at most `budget` elements, of K products each. Candidates beyond it are counted in
// `unexamined`; their rows and columns are still named.
//
// Reads A, B and D twice, C twice. Memory beyond them: O(M + N + K), and 64 rows of K on each thread while elements are
// computed anew. The result does not depend on the number of threads.
#pragma once

#include "oracle/judges/freivalds/placed_matrix.h"
#include "reference/contract/partition.h"

#include <optional>

namespace lockstep {

struct ClaimTerm {
  PlacedMatrix a, b;
  float scale = 1;  // of the product: a GEMM's scales
};

struct Claim {
  PlacedMatrix c;
  std::vector<ClaimTerm> terms;
  std::optional<PlacedMatrix> d = {};
};

struct FreivaldsOptions {
  std::uint64_t seed = 0;
  Index threads = 1;
  Index budget = Index{1} << 20;
};

struct WrongElement {
  Index row = 0, col = 0;
  std::uint32_t got = 0, want = 0;  // codes of its tensor's type
  bool operator==(const WrongElement&) const = default;
};

struct Findings {
  std::vector<Index> rows, cols;  // that are wrong
  Range enclosing_rows{}, enclosing_cols{};
  std::vector<WrongElement> elements;  // by row, then by column
  Index unexamined = 0;

  bool agrees() const { return rows.empty(); }
  bool operator==(const Findings&) const = default;
};

// Refuses a claim whose shapes do not go together, and data that is not exact.
Findings freivalds(const Claim& claim, const FreivaldsOptions& options);

}  // namespace lockstep
