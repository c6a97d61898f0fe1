#include "oracle/judges/freivalds/claim_products.h"

namespace lockstep {
namespace {

std::vector<std::vector<Index>> rows_of(const WholeMatrix& m, const std::vector<Index>& which) {
  std::vector<std::vector<Index>> rows;
  for (Index i : which) rows.push_back(row_of(m, i));
  return rows;
}

Index dot(const std::vector<Index>& a, const std::vector<Index>& b) {
  Index sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

ExactClaim transposed(const ExactClaim& claim) {
  ExactClaim turned{transposed(claim.c), {}, {}, claim.d_factor};
  for (const ExactTerm& term : claim.terms) turned.terms.push_back({term.b, term.a, term.factor});
  if (claim.d) turned.d = transposed(*claim.d);
  return turned;
}

Vector61 residuals(const ExactClaim& claim, const Vector61& x, Index threads) {
  Vector61 sums = times(claim.c, x, threads);
  const auto subtract = [&](Index factor, const Vector61& part) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = sums[i] - mersenne61(factor) * part[i];
  };
  for (const ExactTerm& term : claim.terms)
    subtract(term.factor, times(term.a, transposed_times(term.b, x, threads), threads));
  if (claim.d) subtract(claim.d_factor, times(*claim.d, x, threads));
  return sums;
}

MatrixOf<Index> wanted(const ExactClaim& claim, const std::vector<Index>& rows, const std::vector<Index>& cols) {
  MatrixOf<Index> want(std::ssize(rows), std::ssize(cols));
  const auto add = [&](const auto& at) {
    for (Index i = 0; i < want.rows; ++i)
      for (Index j = 0; j < want.cols; ++j) want(i, j) += at(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  };
  for (const ExactTerm& term : claim.terms) {
    const auto a = rows_of(term.a, rows), b = rows_of(term.b, cols);
    add([&](std::size_t i, std::size_t j) { return term.factor * dot(a[i], b[j]); });
  }
  if (claim.d) add([&](std::size_t i, std::size_t j) { return claim.d_factor * whole_at(*claim.d, rows[i], cols[j]); });
  return want;
}

}  // namespace lockstep
