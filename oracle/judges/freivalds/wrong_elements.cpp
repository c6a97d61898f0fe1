#include "oracle/judges/freivalds/wrong_elements.h"

#include "oracle/campaign/parallel.h"
#include "oracle/judges/freivalds/claim_products.h"

#include <algorithm>

namespace lockstep {
namespace {

std::vector<Index> slice(const std::vector<Index>& all, Index which, Index size) {
  const auto begin = all.begin() + which * size;
  return {begin, begin + std::min(size, std::ssize(all) - which * size)};
}

void append(std::vector<Wrong>& all, const std::vector<Wrong>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<Wrong> wrong_of_tile(const ExactClaim& claim, const std::vector<Index>& rows,
                                 const std::vector<Index>& cols) {
  std::vector<Wrong> wrong;
  const MatrixOf<Index> want = wanted(claim, rows, cols);
  for (Index i = 0; i < want.rows; ++i)
    for (Index j = 0; j < want.cols; ++j) {
      const Index row = rows[static_cast<std::size_t>(i)], col = cols[static_cast<std::size_t>(j)];
      const Index difference = whole_at(claim.c, row, col) - want(i, j);
      if (difference != 0 || !fits(claim.c, row, col)) wrong.push_back({row, col, difference});
    }
  return wrong;
}

}  // namespace

std::vector<Wrong> sorted(std::vector<Wrong> wrong) {
  std::ranges::sort(wrong, {}, [](const Wrong& w) { return std::pair(w.row, w.col); });
  const auto again = std::ranges::unique(wrong, {}, [](const Wrong& w) { return std::pair(w.row, w.col); });
  wrong.erase(again.begin(), again.end());
  return wrong;
}

std::vector<Wrong> computed_anew(const ExactClaim& claim, const std::vector<Index>& rows,
                                 const std::vector<Index>& cols, Index threads) {
  constexpr Index tile = 32;
  const auto tiles = [](const std::vector<Index>& lines) { return (std::ssize(lines) + tile - 1) / tile; };
  std::vector<std::vector<Wrong>> of_tile(static_cast<std::size_t>(tiles(rows) * tiles(cols)));
  parallel_for(std::ssize(of_tile), threads, [&](Index n) {
    of_tile[static_cast<std::size_t>(n)] =
        wrong_of_tile(claim, slice(rows, n / tiles(cols), tile), slice(cols, n % tiles(cols), tile));
  });
  std::vector<Wrong> all;
  for (const auto& wrong : of_tile) append(all, wrong);
  return sorted(std::move(all));
}

}  // namespace lockstep
