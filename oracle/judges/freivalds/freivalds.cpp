#include "oracle/judges/freivalds/freivalds.h"

#include "oracle/judges/freivalds/one_a_row.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

Vector61 random_vector(Index size, Random random) {
  Vector61 x(static_cast<std::size_t>(size));
  for (Mersenne61& each : x) each = random_unit(random);
  return x;
}

// Zero but at `some`.
Vector61 random_at(const std::vector<Index>& some, Index size, Random random) {
  Vector61 x(static_cast<std::size_t>(size));
  for (Index i : some) x[static_cast<std::size_t>(i)] = random_unit(random);
  return x;
}

std::vector<Wrong> transposed(std::vector<Wrong> wrong) {
  for (Wrong& each : wrong) std::swap(each.row, each.col);
  return sorted(std::move(wrong));
}

void append(std::vector<Wrong>& all, const std::vector<Wrong>& more) {
  all.insert(all.end(), more.begin(), more.end());
  all = sorted(std::move(all));
}

struct Block {
  std::vector<Index> rows, cols;  // sorted

  Index size() const { return std::ssize(rows) * std::ssize(cols); }
  bool contains(const Wrong& wrong) const {
    return std::ranges::binary_search(rows, wrong.row) && std::ranges::binary_search(cols, wrong.col);
  }
};

// As many of its first rows as the budget has room for, or the beginning of one.
Block cut_to(Index budget, Block block) {
  if (block.size() <= budget) return block;
  block.rows.resize(static_cast<std::size_t>(std::max<Index>(1, budget / std::ssize(block.cols))));
  block.cols.resize(static_cast<std::size_t>(std::min(budget, std::ssize(block.cols))));
  return block;
}

// The code of a number of quanta in the type of C, which holds it if the data is exact.
std::uint32_t code_of(Index n, const WholeMatrix& c, DType type, const Wrong& at) {
  const auto value = static_cast<float>(std::ldexp(static_cast<double>(n), c.quantum.exponent));
  const std::uint32_t code = encode(type, value);
  if (std::ldexp(static_cast<double>(decode(type, code)), -c.quantum.exponent) != static_cast<double>(n))
    refuse("{} must be {} * 2^{} at row {}, column {}, which {} has no code for: the data is not exact", c.matrix.name,
           n, c.quantum.exponent, at.row, at.col, name(type));
  return code;
}

WrongElement named(const Wrong& wrong, const WholeMatrix& c) {
  const PlacedTensor& part = c.matrix.parts[static_cast<std::size_t>(c.matrix.part_at(wrong.row, wrong.col))];
  const Index want = whole_at(c, wrong.row, wrong.col) - wrong.difference;
  return {wrong.row, wrong.col, part.code(wrong.row, wrong.col), code_of(want, c, part.tensor->dtype, wrong)};
}

Range enclosing(const std::vector<Index>& sorted_lines) {
  return sorted_lines.empty() ? Range{} : Range{sorted_lines.front(), sorted_lines.back() + 1};
}

struct Search {
  const ExactClaim& claim;
  const FreivaldsOptions& options;
  Index budget = options.budget;
  std::vector<Wrong> found{};
  Findings findings{};

  void by_columns(std::vector<Index> rows) {
    const Vector61 y = random_at(rows, claim.c.matrix.rows, Random(options.seed, 2));
    RowFindings columns = one_a_row(lockstep::transposed(claim), y, transposed(found), budget, options.threads);
    append(found, transposed(columns.found));
    findings.cols = columns.wrong;
    const Block block{std::move(rows), std::move(columns.open)};
    if (block.size() > 0) by_block(block, cut_to(budget, block));
  }

  void by_block(const Block& all, const Block& some) {
    const auto beyond = [&](const Wrong& wrong) { return all.contains(wrong) && !some.contains(wrong); };
    findings.unexamined = all.size() - some.size() - std::ranges::count_if(found, beyond);
    append(found, computed_anew(claim, some.rows, some.cols, options.threads));
  }

  Findings run() {
    const Vector61 x = random_vector(claim.c.matrix.cols, Random(options.seed, 1));
    RowFindings rows = one_a_row(claim, x, {}, budget, options.threads);
    found = std::move(rows.found), findings.rows = std::move(rows.wrong);
    if (!rows.open.empty()) by_columns(std::move(rows.open));
    return finished();
  }

  Findings finished() {
    for (const Wrong& wrong : found) {
      findings.elements.push_back(named(wrong, claim.c));
      findings.cols.push_back(wrong.col);
    }
    std::ranges::sort(findings.cols);
    const auto again = std::ranges::unique(findings.cols);
    findings.cols.erase(again.begin(), again.end());
    findings.enclosing_rows = enclosing(findings.rows), findings.enclosing_cols = enclosing(findings.cols);
    return std::move(findings);
  }
};

}  // namespace

Findings freivalds(const Claim& claim, const FreivaldsOptions& options) {
  CHECK(options.threads >= 1 && options.budget >= 0, "a check without a thread, or with a negative budget");
  const ExactClaim exact = exact_claim(claim, options.threads);
  return Search{exact, options}.run();
}

}  // namespace lockstep
