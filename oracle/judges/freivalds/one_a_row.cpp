#include "oracle/judges/freivalds/one_a_row.h"

#include "oracle/campaign/parallel.h"

#include <algorithm>
#include <span>

namespace lockstep {
namespace {

// A row on its way to be explained: its residuals without the elements that are known.
struct OpenRow {
  Index row = 0;
  Mersenne61 plain, weighted{};
  Index misfits = 0;

  bool is_wrong() const { return plain != Mersenne61{} || misfits > 0; }
  Index cost() const { return misfits + 1; }
  void take_out(const Wrong& wrong, const Vector61& x) {
    const Mersenne61 part = mersenne61(wrong.difference) * x[static_cast<std::size_t>(wrong.col)];
    plain = plain - part, weighted = weighted - part * mersenne61(wrong.col + 1);
  }
};

// One vector's look at a claim.
struct Look {
  const ExactClaim& claim;
  const Vector61& x;
  const std::vector<Wrong>& known;

  bool is_seen(Index col) const { return x[static_cast<std::size_t>(col)] != Mersenne61{}; }
  std::span<const Wrong> known_of(Index row) const {
    const auto found = std::ranges::equal_range(known, row, {}, &Wrong::row);
    return {found.begin(), found.end()};
  }
  std::vector<Index> misfits_of(Index row) const {
    std::vector<Index> cols = misfits_of_row(claim.c, row);
    const auto of_row = known_of(row);
    std::erase_if(cols, [&](Index j) { return !is_seen(j) || std::ranges::binary_search(of_row, j, {}, &Wrong::col); });
    return cols;
  }
  Vector61 weighted() const {
    Vector61 by_column = x;
    for (std::size_t j = 0; j < x.size(); ++j) by_column[j] = x[j] * mersenne61(static_cast<Int128>(j) + 1);
    return by_column;
  }
};

std::vector<OpenRow> wrong_rows(const Look& look, Index threads) {
  const Vector61 plain = residuals(look.claim, look.x, threads);
  std::vector<OpenRow> rows(plain.size());
  parallel_for(std::ssize(rows), threads, [&](Index i) {
    OpenRow& row = rows[static_cast<std::size_t>(i)];
    row = {i, plain[static_cast<std::size_t>(i)], {}, std::ssize(look.misfits_of(i))};
    for (const Wrong& wrong : look.known_of(i)) row.take_out(wrong, look.x);
  });
  std::erase_if(rows, [](const OpenRow& row) { return !row.is_wrong(); });
  return rows;
}

// wrong_rows took what is known out of it already.
void add_weighted(std::vector<OpenRow>& rows, const Look& look, Index threads) {
  const Vector61 sums = residuals(look.claim, look.weighted(), threads);
  for (OpenRow& row : rows) row.weighted = row.weighted + sums[static_cast<std::size_t>(row.row)];
}

// The column of the one element that would leave these residuals.
std::vector<Index> single_column(const OpenRow& row, const Look& look) {
  if (row.plain == Mersenne61{}) return {};
  const auto col = static_cast<Index>((row.weighted * inverse(row.plain)).value) - 1;
  if (col < 0 || col >= look.claim.c.matrix.cols || !look.is_seen(col)) return {};
  return {col};
}

std::vector<Wrong> explain(OpenRow& row, const Look& look) {
  std::vector<Wrong> found;
  const auto examine = [&](const std::vector<Index>& cols) {
    const auto wrong = computed_anew(look.claim, {row.row}, cols, 1);
    for (const Wrong& each : wrong) row.take_out(each, look.x);
    found.insert(found.end(), wrong.begin(), wrong.end());
  };
  examine(look.misfits_of(row.row));
  examine(single_column(row, look));
  return found;
}

// As many as the budget has room for, in order.
std::size_t taken_from(Index& budget, const std::vector<OpenRow>& rows) {
  std::size_t taken = 0;
  while (taken < rows.size() && rows[taken].cost() <= budget) budget -= rows[taken++].cost();
  return taken;
}

}  // namespace

RowFindings one_a_row(const ExactClaim& claim, const Vector61& x, const std::vector<Wrong>& known, Index& budget,
                      Index threads) {
  const Look look{claim, x, known};
  std::vector<OpenRow> rows = wrong_rows(look, threads);
  RowFindings findings;
  if (rows.empty()) return findings;
  for (const OpenRow& row : rows) findings.wrong.push_back(row.row);
  add_weighted(rows, look, threads);
  std::vector<std::vector<Wrong>> found(taken_from(budget, rows));
  parallel_for(std::ssize(found), threads,
               [&](Index n) { found[static_cast<std::size_t>(n)] = explain(rows[static_cast<std::size_t>(n)], look); });
  for (std::size_t n = 0; n < rows.size(); ++n)
    if (n >= found.size() || rows[n].plain != Mersenne61{}) findings.open.push_back(rows[n].row);
  for (const auto& wrong : found) findings.found.insert(findings.found.end(), wrong.begin(), wrong.end());
  findings.found = sorted(std::move(findings.found));
  return findings;
}

}  // namespace lockstep
