#include "oracle/judges/freivalds/exact_claim.h"

#include "oracle/judges/freivalds/extent.h"
#include "reference/contract/refusal.h"

#include <cmath>

namespace lockstep {
namespace {

// How many elements the parts have, each inside its matrix.
Index covered(const PlacedMatrix& m) {
  Index elements = 0;
  for (const PlacedTensor& part : m.parts) {
    CHECK(part.row >= 0 && part.row + part.rows() <= m.rows && part.col >= 0 && part.col + part.cols() <= m.cols,
          "a tensor placed outside its matrix");
    elements += part.rows() * part.cols();
  }
  return elements;
}

void check_parts(const Claim& claim) {
  for (const ClaimTerm& term : claim.terms) covered(term.a), covered(term.b);
  if (claim.d) covered(*claim.d);
  if (covered(claim.c) != claim.c.rows * claim.c.cols)
    refuse("{} has no tensor at some of its {} x {} elements", claim.c.name, claim.c.rows, claim.c.cols);
}

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

// A term with the extents of its operands and of what it adds to an element.
struct SizedTerm {
  const ClaimTerm& term;
  Extent a, b;
  Extent sum{};

  SizedTerm(const ClaimTerm& of, Index threads) : term(of), a(extent_of(of.a, threads)), b(extent_of(of.b, threads)) {
    if (!std::isfinite(of.scale))
      refuse("the scale of {} {}^T is {}: a scale is finite", of.a.name, of.b.name, of.scale);
    const Extent scale = extent_of(of.scale);
    sum.largest = static_cast<double>(of.a.cols) * a.largest * b.largest * scale.largest;
    sum.exponent = a.exponent + b.exponent + scale.exponent;
  }
};

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

void check_room(const Claim& claim, const Total& total, const Quantum& quantum) {
  if (std::ldexp(total.largest, -quantum.exponent) >= largest_whole / 2)
    refuse("the terms of {} can add up to {} and have bits worth 2^{}: exact data stays within 59 bits", claim.c.name,
           total.largest, quantum.exponent);
}

// value / 2^exponent, a whole number.
Index quanta(float value, int exponent) {
  return static_cast<Index>(std::ldexp(static_cast<double>(value), -exponent));
}

ExactTerm exact_term(const SizedTerm& t, int q) {
  return {
      {t.term.a, {t.a.exponent}}, {t.term.b, {t.b.exponent}}, quanta(t.term.scale, q - t.a.exponent - t.b.exponent)};
}

}  // namespace

ExactClaim exact_claim(const Claim& claim, Index threads) {
  check_parts(claim);
  check_shapes(claim);
  std::vector<SizedTerm> terms;
  Total total;
  for (const ClaimTerm& term : claim.terms) total.add(terms.emplace_back(term, threads).sum);
  const Extent d = claim.d ? extent_of(*claim.d, threads) : Extent{};
  total.add(d);
  const int q = total.exponent.value_or(0);
  ExactClaim exact{{claim.c, {q}}, {}, {}, 1};
  check_room(claim, total, exact.c.quantum);
  for (const SizedTerm& term : terms)
    if (term.sum.largest > 0) exact.terms.push_back(exact_term(term, q));
  if (d.largest > 0) exact.d = {*claim.d, {d.exponent}}, exact.d_factor = quanta(1, q - d.exponent);
  return exact;
}

}  // namespace lockstep
