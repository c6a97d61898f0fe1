// The order over K of a plan's product: a probe of each rank's own part of the contraction, in the rows that the rank
// keeps where the product is reduced, in the columns that it keeps where its rows are gathered.
#include "oracle/judges/expected.h"
#include "oracle/order/case_order.h"
#include "oracle/order/models.h"
#include "oracle/order/plan_product.h"
#include "oracle/order/print.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr Index most = 128;  // terms: counts up to 254 are exact in BF16 too

struct Product {
  Pass pass;
  bool reduced;
  Index ranks;
  Index k;      // of all ranks
  Masks masks;  // of the operands' type

  Range k_of(Index rank) const { return reduced ? part(k, ranks, rank) : Range{0, k}; }
  // Alike on every rank, but that a rank whose part is shorter may have one term less.
  std::vector<Range> terms(Index rank) const { return terms_of(k_of(rank).size(), stride_for(k_of(0).size(), most)); }
  Index n() const { return std::ssize(terms(0)); }
};

// Rows or columns [at n, at n + n) are the probe of a rank's part of K; `which` gives the rank for each block of n.
void lay(Matrix& side, const Product& p, Index rank, Index at, float mask) {
  const auto terms = p.terms(rank);
  const Index k0 = p.k_of(rank).begin;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = 0; j < terms.size(); ++j)
      side(at * p.n() + static_cast<Index>(i), k0 + terms[j].begin) = i == j ? mask : p.masks.one;
}

// Reduced: every rank has rows of its own, and columns that all share, though each a part of K of its own. Gathered:
// every rank has columns of its own, and all share the rows.
std::vector<Matrix> run(const Call& call, const Product& p) {
  const Index rows = p.reduced ? p.ranks * p.n() : p.n(), cols = p.reduced ? p.n() : p.ranks * p.n();
  refuse_if_too_large(call, p.pass, rows, p.k, cols);
  Matrix left(rows, p.k), right(cols, p.k);
  for (Index rank = 0; rank < p.ranks; ++rank) {
    if (p.reduced || rank == 0) lay(left, p, rank, rank, p.masks.mask);
    lay(right, p, rank, p.reduced ? 0 : rank, -p.masks.mask);
  }
  return product_by_plan(call, p.pass, left, right);
}

// The first n rows and columns.
Matrix corner(const Matrix& whole, Index row, Index n) {
  Matrix m(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) m(i, j) = whole(row + i, j);
  return m;
}

bool shows(const Call& call) { return call.dtype != DType::fp16 && call.wire != DType::fp16; }

}  // namespace

void find_order_over_k(std::vector<OrderFound>& all, const Call& call, Pass pass) {
  const bool all_reduce = call.op == Kernel::gemm_ar;
  const Product p{.pass = pass,
                  .reduced = reduces_in(call, pass),
                  .ranks = call.tp,
                  .k = pass == Pass::forward ? call.in : call.out,
                  .masks = masks_for(call.dtype)};
  if (!shows(call) || p.k_of(p.ranks - 1).size() < 2) return;
  const LayerDeclaration declared_layer = declared(resized(call, pass, 1, p.k, 1));
  const Accumulator& accumulator =
      (pass == Pass::forward ? declared_layer.forward : declared_layer.backward).accumulator;
  const std::vector<Matrix> outputs = run(call, p);
  for (Index rank = 0; rank < p.ranks; ++rank) {
    const auto terms = p.terms(rank);
    const Index row = all_reduce ? rank * p.n() : 0;
    const TreeReading reading =
        read_tree(corner(outputs[static_cast<std::size_t>(rank)], row, std::ssize(terms)), p.masks.one * p.masks.one);
    const SumTree want = declared_tree(accumulator, 1, call.dtype, p.k_of(rank).size(), terms);
    all.push_back({.what = fmt::format("{}, sum over K{}", pass == Pass::forward ? "forward" : "backward",
                                       resolution(terms.front().size())),
                   .where = fmt::format("rank {}", rank),
                   .found = reading.finding.empty() ? print(reading.tree, terms) : reading.finding,
                   .declared = print(want, terms),
                   .agrees = reading.finding.empty() && reading.counts == counts_of(want)});
  }
}

}  // namespace lockstep
