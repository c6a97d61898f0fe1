#include "oracle/order/reduction_probe.h"

#include "oracle/order/plan_product.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lockstep {
namespace {

// The blocks that the method divides the rows of an owner in, and the columns.
struct Blocks {
  Index halves = 1, panels = 1;
};

Blocks blocks_of(const Call& call) {
  const Call known = resolved(call);
  const Method method = reducing_method(known);
  return {method == Method::accumulate ? 2 : 1, method == Method::pipeline ? known.splits : 1};
}

struct RankMasks {
  float mask, root_of_one;
};

RankMasks masks_of(const Call& call) {
  const bool fp16 = call.dtype == DType::fp16 || call.wire == DType::fp16;
  return fp16 ? RankMasks{0x1p15f, 0x1p-12f} : RankMasks{0x1p60f, 1};
}

TreeReading read_block(const Matrix& whole, Index row, Index col, Index n, float unit) {
  Matrix m(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) m(i, j) = whole(row + i, col + j);
  return read_tree(m, unit);
}

// Rows of an owner on a rank that holds them, from the first of these rows.
struct Held {
  Index owner, holder, row;
};

std::vector<Held> held_rows(const Call& call, Index rows_of_owner) {
  const bool everywhere = call.op == Kernel::gemm_ar;
  std::vector<Held> all;
  for (Index owner = 0; owner < call.tp; ++owner)
    for (Index holder = 0; holder < call.tp; ++holder)
      if (everywhere || holder == owner) all.push_back({owner, holder, everywhere ? owner * rows_of_owner : 0});
  return all;
}

// The terms that are added first, and one that is added next: a sum of which can be rounded between.
struct FirstThree {
  Index a, b, c;  // c: -1, there is none
};

std::optional<FirstThree> first_three(const SumTree& tree) {
  for (Index at = 0; at < std::ssize(tree.nodes); ++at) {
    const SumNode& pair = tree[at];
    if (pair.size != 2) continue;
    const FirstThree two{tree[pair.children[0]].first, tree[pair.children[1]].first, -1};
    for (const SumNode& parent : tree.nodes)
      if (parent.children.size() == 2 && std::ranges::find(parent.children, at) != parent.children.end()) {
        const Index other = parent.children[parent.children[0] == at ? 1 : 0];
        return FirstThree{two.a, two.b, tree[other].first};
      }
    return two;
  }
  return {};
}

constexpr Index most_bits = 24;
constexpr Index kinds = 3;  // of rows: a sum rounded; the contribution of a rounded; that of b rounded

// What rank r contributes in a row of `kind` with s bits: two terms, since 1 + 2^-s need be no operand.
std::pair<float, float> contribution(const FirstThree& f, Index kind, Index s, Index rank) {
  const float small = std::ldexp(1.0f, -static_cast<int>(s));
  if (kind == 0) return {rank == f.a ? 1.0f : rank == f.b ? small : rank == f.c ? -1.0f : 0.0f, 0.0f};
  const Index whole = kind == 1 ? f.a : f.b, negative = kind == 1 ? f.b : f.a;
  if (rank == whole) return {1.0f, small};
  return {rank == negative ? -1.0f : 0.0f, 0.0f};
}

}  // namespace

std::vector<Piece> probe_reduction(const Call& call, Pass pass) {
  const Index p = call.tp;
  const auto [halves, panels] = blocks_of(call);
  const auto [mask, root] = masks_of(call);
  refuse_if_too_large(call, pass, p * halves * p, 3 * p, panels * p);
  Matrix left(p * halves * p, 3 * p), right(panels * p, 3 * p);
  for (Index row = 0; row < left.rows; ++row)
    for (Index r = 0; r < p; ++r)
      left(row, 3 * r) = row % p == r ? mask : 0, left(row, 3 * r + 1) = 1,
                    left(row, 3 * r + 2) = row % p == r ? 0 : root;
  for (Index col = 0; col < right.rows; ++col)
    for (Index r = 0; r < p; ++r)
      right(col, 3 * r) = 1, right(col, 3 * r + 1) = col % p == r ? -mask : 0,
                     right(col, 3 * r + 2) = col % p == r ? 0 : root;
  const std::vector<Matrix> outputs = product_by_plan(call, pass, left, right);
  std::vector<Piece> pieces;
  for (const Held& held : held_rows(call, halves * p))
    for (Index half = 0; half < halves; ++half)
      for (Index panel = 0; panel < panels; ++panel)
        pieces.push_back({held.owner, held.holder, half, panel,
                          read_block(outputs[static_cast<std::size_t>(held.holder)], held.row + half * p, panel * p, p,
                                     root * root)});
  return pieces;
}

std::vector<Roundings> probe_roundings(const Call& call, Pass pass, const std::vector<Piece>& pieces) {
  const Index p = call.tp, rows_of_owner = kinds * (most_bits + 1);
  std::vector<std::optional<FirstThree>> first(static_cast<std::size_t>(p));
  for (const Piece& piece : pieces)
    if (piece.half == 0 && piece.panel == 0 && piece.order.finding.empty())
      first[static_cast<std::size_t>(piece.owner)] = first_three(piece.order.tree);

  refuse_if_too_large(call, pass, p * rows_of_owner, 2 * p, 1);
  Matrix left(p * rows_of_owner, 2 * p), right(1, 2 * p);
  std::ranges::fill(right.values, 1.0f);
  for (Index row = 0; row < left.rows; ++row)
    for (Index r = 0; r < p; ++r)
      if (const auto& f = first[static_cast<std::size_t>(row / rows_of_owner)])
        std::tie(left(row, 2 * r), left(row, 2 * r + 1)) =
            contribution(*f, row % kinds, row % rows_of_owner / kinds, r);
  const std::vector<Matrix> outputs = product_by_plan(call, pass, left, right);

  std::vector<Roundings> all;
  for (const Held& held : held_rows(call, rows_of_owner)) {
    const auto& f = first[static_cast<std::size_t>(held.owner)];
    Index left_of[kinds] = {-1, -1, -1};
    for (Index row = 0; f && row < rows_of_owner; ++row)
      if (const Index s = row / kinds;
          outputs[static_cast<std::size_t>(held.holder)](held.row + row, 0) == std::ldexp(1.0f, -static_cast<int>(s)))
        left_of[row % kinds] = s;
    Roundings& found = all.emplace_back(Roundings{held.owner, held.holder, {}, {}});
    if (f && f->c >= 0) found.of_sums = left_of[0];
    if (f) found.of_contributions = std::min(left_of[1], left_of[2]);
  }
  return all;
}

}  // namespace lockstep
