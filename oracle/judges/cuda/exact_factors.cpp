#include "oracle/judges/cuda/exact_factors.h"

#include "reference/contract/refusal.h"

#include <bit>
#include <cmath>
#include <optional>

namespace lockstep {
namespace {

// scale = number 2^exponent, the number odd or 0.
struct Scale {
  Index number = 0;
  int exponent = 0;

  explicit Scale(float scale) {
    if (scale == 0) return;
    const double significand = std::ldexp(std::frexp(static_cast<double>(scale), &exponent), 24);
    const auto whole = static_cast<Index>(significand);
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(whole));
    number = whole / (Index{1} << zeros), exponent += zeros - 24;
  }
};

int exponent_of(const DeviceTerm& term) { return term.a.exponent + term.b.exponent + Scale(term.scale).exponent; }

Mersenne61 power_of_two(int exponent) { return {std::uint64_t{1} << ((exponent % 61 + 61) % 61)}; }

void expect_size(const WholeOnDevice& m, Index rows, Index cols, const std::string& beside) {
  if (rows_of(m.matrix) != rows || cols_of(m.matrix) != cols)
    refuse("{} is {} x {}: beside {} it is {} x {}", m.name, rows_of(m.matrix), cols_of(m.matrix), beside, rows, cols);
}

void expect_term(const DeviceTerm& term, const DeviceClaim& claim) {
  expect_whole(term.a), expect_whole(term.b);
  expect_size(term.a, rows_of(claim.c), cols_of(term.a.matrix), claim.name);
  expect_size(term.b, cols_of(claim.c), cols_of(term.a.matrix), claim.name + " and " + term.a.name);
  if (!std::isfinite(term.scale))
    refuse("the scale of {} {}^T is {}: a scale is finite", term.a.name, term.b.name, term.scale);
}

double largest(const Tally& tally) { return std::bit_cast<double>(std::uint64_t{tally.largest}); }

void expect_no_misfit(const WholeOnDevice& m, const Tally& tally) {
  if (tally.misfits == 0) return;
  const Index first = tally.first();
  refuse(
      "{} has values that are no whole number of quanta of 2^{} below 2^60, {} of them, the first stored at row {}, "
      "column {}: exact data is whole and finite",
      m.name, m.exponent, tally.misfits, first / m.matrix.cols, first % m.matrix.cols);
}

}  // namespace

int exponent_of(const DeviceClaim& claim) {
  std::optional<int> finest;
  const auto add = [&](int exponent) { finest = std::min(finest.value_or(exponent), exponent); };
  for (const DeviceTerm& term : claim.terms)
    if (term.scale != 0) add(exponent_of(term));
  for (const WholeOnDevice& addend : claim.addends) add(addend.exponent);
  return finest.value_or(0);
}

Mersenne61 factor_of(float scale, int exponent) {
  const Scale parts(scale);
  return mersenne61(parts.number) * power_of_two(parts.exponent + exponent);
}

void expect_claim(const DeviceClaim& claim) {
  if (const auto parts = claim.terms.size() + claim.addends.size(); parts >= most_shares)
    refuse("{} has {} terms and addends: at most {} are checked at once", claim.name, parts, most_shares - 1);
  expect_matrix(claim.name, claim.c);
  for (const DeviceTerm& term : claim.terms) expect_term(term, claim);
  for (const WholeOnDevice& addend : claim.addends) {
    expect_whole(addend);
    expect_size(addend, rows_of(addend.matrix) == 1 ? 1 : rows_of(claim.c), cols_of(claim.c), claim.name);
  }
}

void expect_exact(const DeviceClaim& claim, const std::vector<Tally>& inputs) {
  const int q = exponent_of(claim);
  auto met = inputs.begin();
  double total = 0;
  const auto largest_of = [&](const WholeOnDevice& m) {
    expect_no_misfit(m, *met);
    return std::ldexp(largest(*met++), m.exponent);
  };
  for (const DeviceTerm& term : claim.terms) {
    const double a = largest_of(term.a), b = largest_of(term.b);
    total += static_cast<double>(cols_of(term.a.matrix)) * a * b * std::abs(static_cast<double>(term.scale));
  }
  for (const WholeOnDevice& addend : claim.addends) total += largest_of(addend);
  if (!(std::ldexp(total, -q) < 0x1p59))
    refuse("the terms of {} can add up to {} and have bits worth 2^{}: exact data stays within 59 bits", claim.name,
           total, q);
}

}  // namespace lockstep
