#include "reference/numerics/sums.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/dot.h"
#include "reference/numerics/lanes.h"

#include <algorithm>

namespace lockstep {
namespace {

// Sum is the type that adds: double holds every sum of exact data, float rounds after every addition. One column of
// sums for each row of a, so that k stays in order and the compiler may go wide over j.
template <typename Sum>
Matrix in_order(const Matrix& a, const Matrix& b_by_k, const Range& k) {
  Matrix s(a.rows, b_by_k.cols);
  std::vector<Sum> sums;
  for (Index i = 0; i < s.rows; ++i) {
    sums.assign(static_cast<std::size_t>(s.cols), Sum{0});
    for (Index at = k.begin; at < k.end; ++at)
      for (Index j = 0; j < s.cols; ++j) sums[static_cast<std::size_t>(j)] += Sum{a(i, at)} * Sum{b_by_k(at, j)};
    for (Index j = 0; j < s.cols; ++j) s(i, j) = static_cast<float>(sums[static_cast<std::size_t>(j)]);
  }
  return s;
}

// Columns first, first + 1, .. of every row, over a range without a promotion, are added to s. What lanes cannot say is
// walked.
void add_panel(const Accumulator& core, const Factor& a, const Factor& b, Index first, const Range& k, Matrix& s) {
  const Panel panel = panel_of(b, first, k);
  const Index cols = std::min(lanes, b.rows - first);
  for (Index i = 0; i < s.rows; ++i) {
    const FactorRow row = a.row(i);
    const LaneSums all = row.finite ? walk_lanes(core, row, panel, k) : LaneSums{};
    for (Index lane = 0; lane < cols; ++lane) {
      const FactorRow col = b.row(first + lane);
      const auto l = static_cast<std::size_t>(lane);
      const bool walks = !row.finite || !col.finite || all.unsure[l];
      s(i, first + lane) += walks ? tensor_core_walk(core, row, col, k) : all.sums[l];
    }
  }
}

Matrix tensor_core_sums(const Accumulator& core, const Factor& a, const Factor& b, const Range& k) {
  const Index step = core.promote_every > 0 ? core.promote_every : std::max<Index>(k.size(), 1);
  Matrix s(a.rows, b.rows);
  for (Index first = 0; first < b.rows; first += lanes)
    for (Index begin = k.begin; begin < k.end; begin += step)
      add_panel(core, a, b, first, {begin, std::min(begin + step, k.end)}, s);
  return s;
}

Matrix sums_one_by_one(const Accumulator& accumulator, const Factor& a, const Factor& b, const Range& k) {
  Matrix s(a.rows, b.rows);
  for (Index i = 0; i < s.rows; ++i)
    for (Index j = 0; j < s.cols; ++j) s(i, j) = dot(accumulator, a.row(i), b.row(j), k);
  return s;
}

}  // namespace

Matrix sums_in_order(Summation summation, const Matrix& a, const Matrix& b_by_k, const Range& k) {
  CHECK(summation != Summation::tensor_core, "a tensor core does not sum in order");
  return summation == Summation::exact ? in_order<double>(a, b_by_k, k) : in_order<float>(a, b_by_k, k);
}

Matrix sums(const Accumulator& accumulator, const Factor& a, const Factor& b, const Range& k) {
  if (accumulator.summation != Summation::tensor_core)
    return sums_in_order(accumulator.summation, a.values, transposed(b.values), k);
  return fits_lanes(accumulator, a, b) ? tensor_core_sums(accumulator, a, b, k) : sums_one_by_one(accumulator, a, b, k);
}

}  // namespace lockstep
