#include "oracle/judges/exact_claim.h"

#include "reference/contract/refusal.h"

#include <cmath>

namespace lockstep {
namespace {

void check_shapes(const Claim& claim) {
  const auto expect = [&](const PlacedMatrix& m, Index rows, Index cols, const PlacedMatrix& beside) {
    if (m.rows != rows || m.cols != cols)
      refuse("{} is {} x {}: beside {} of {} x {} it is {} x {}", m.name, m.rows, m.cols, beside.name, beside.rows,
             beside.cols, rows, cols);
  };
  for (const ClaimTerm& term : claim.terms) {
    expect(term.a, claim.c.rows, term.a.cols, claim.c);
    expect(term.b, claim.c.cols, term.a.cols, term.a);
  }
  if (claim.d) expect(*claim.d, claim.c.rows, claim.c.cols, claim.c);
}

// What a term or D adds to an element: at most `largest`, in quanta of 2^exponent. Nothing: largest == 0.
Extent extent_of_sum(const ClaimTerm& term, const Extent& a, const Extent& b) {
  if (!std::isfinite(term.scale))
    refuse("the scale of {} {}^T is {}: a scale is finite", term.a.name, term.b.name, term.scale);
  const Extent scale = extent_of(term.scale);
  return {static_cast<double>(term.a.cols) * a.largest * b.largest * scale.largest,
          a.exponent + b.exponent + scale.exponent};
}

// The finest quantum of what is added up, and the most that it comes to.
struct Total {
  std::optional<int> exponent;
  double largest = 0;

  void add(const Extent& extent) {
    if (extent.largest == 0) return;
    exponent = std::min(exponent.value_or(extent.exponent), extent.exponent);
    largest += extent.largest;
  }
};

void check_room(const Claim& claim, const Total& total) {
  if (std::ldexp(total.largest, -total.exponent.value_or(0)) >= largest_whole / 2)
    refuse("the terms of {} can add up to {} and have bits worth 2^{}: exact data stays within 59 bits", claim.c.name,
           total.largest, *total.exponent);
}

Index quanta(float scale, int exponent) { return static_cast<Index>(std::ldexp(static_cast<double>(scale), exponent)); }

}  // namespace

ExactClaim exact_claim(const Claim& claim, Index threads) {
  check_shapes(claim);
  ExactClaim exact;
  Total total;
  std::vector<Extent> sums;
  std::vector<float> scales;
  for (const ClaimTerm& term : claim.terms) {
    const Extent a = extent_of(term.a, threads), b = extent_of(term.b, threads), sum = extent_of_sum(term, a, b);
    total.add(sum);
    if (sum.largest == 0) continue;
    exact.terms.push_back({{term.a, {a.exponent}}, {term.b, {b.exponent}}, 1});
    scales.push_back(term.scale);
  }
  const Extent d = claim.d ? extent_of(*claim.d, threads) : Extent{};
  total.add(d);
  check_room(claim, total);
  const int q = total.exponent.value_or(0);
  for (std::size_t t = 0; t < scales.size(); ++t)
    exact.terms[t].factor =
        quanta(scales[t], exact.terms[t].a.quantum.exponent + exact.terms[t].b.quantum.exponent - q);
  if (d.largest > 0) exact.d = {*claim.d, {d.exponent}}, exact.d_factor = quanta(1, d.exponent - q);
  exact.c = {claim.c, {q, std::ldexp(claim.slack, -q)}};
  return exact;
}

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
