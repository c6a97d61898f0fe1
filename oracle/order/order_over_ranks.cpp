// The order over the ranks, as declared and as a plan has it, in words.
#include "oracle/judges/expected.h"
#include "oracle/order/case_order.h"
#include "oracle/order/plan_product.h"
#include "oracle/order/print.h"
#include "oracle/order/reduction_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

// Of what rank `owner` keeps (reference/numerics/declaration.h).
SumTree declared_tree_over_ranks(ReductionOrder order, Index ranks, Index owner) {
  const auto rank_at = [&](Index step) {
    if (order == ReductionOrder::by_rank) return step;
    return order == ReductionOrder::own_first ? (owner - step + ranks) % ranks : (owner + 1 + step) % ranks;
  };
  SumTree tree;
  Index sum = tree.add_term(rank_at(0));
  for (Index step = 1; step < ranks; ++step) {
    const Index next = tree.add_term(rank_at(step));
    sum = tree.add_sum({sum, next});
  }
  return tree;
}

std::string type_with(Index fraction_bits) {
  for (DType type : {DType::f32, DType::fp16, DType::bf16})
    if (format(type).fraction_bits == fraction_bits) return std::string(name(type));
  return fmt::format("{} fraction bits", fraction_bits);
}

std::string words_for(const TreeReading& reading) {
  return reading.finding.empty() ? print(reading.tree, numbered(reading.counts.rows)) : reading.finding;
}

std::string rows_of(Index owner, Index holder) {
  return holder == owner ? fmt::format("rows of rank {}", owner)
                         : fmt::format("rows of rank {} on rank {}", owner, holder);
}

// Where a block of rows or columns is one of several.
std::string words_for(const Piece& piece, const Piece& last) {
  std::string text = rows_of(piece.owner, piece.holder);
  if (last.half > 0) text += fmt::format(", half {}", piece.half);
  if (last.panel > 0) text += fmt::format(", split {}", piece.panel);
  return text;
}

// One line where all pieces of an owner are alike, else one for each.
void add_lines(std::vector<OrderFound>& all, const std::vector<Piece>& pieces, OrderFound line, const Counts& want) {
  const auto agrees = [&](const Piece& piece) { return piece.order.finding.empty() && piece.order.counts == want; };
  const bool all_agree = std::ranges::all_of(pieces, agrees);
  for (const Piece& piece : pieces) {
    line.where = all_agree ? fmt::format("rows of rank {}", piece.owner) : words_for(piece, pieces.back());
    line.found = words_for(piece.order);
    line.agrees = agrees(piece);
    all.push_back(line);
    if (all_agree) return;
  }
}

void add_trees(std::vector<OrderFound>& all, const std::string& when, const std::vector<Piece>& pieces,
               const Declaration& how, Index ranks) {
  std::map<Index, std::vector<Piece>> of_owner;
  for (const Piece& piece : pieces) of_owner[piece.owner].push_back(piece);
  for (const auto& [owner, some] : of_owner) {
    const SumTree want = declared_tree_over_ranks(how.order, ranks, owner);
    OrderFound line{.what = when + ", sum over the ranks", .declared = print(want, numbered(ranks))};
    add_lines(all, some, line, counts_of(want));
  }
}

void add_type(std::vector<OrderFound>& all, const std::string& what, const Roundings& r, std::optional<Index> bits,
              DType want) {
  if (bits)
    all.push_back({.what = what,
                   .where = rows_of(r.owner, r.holder),
                   .found = type_with(*bits),
                   .declared = std::string(name(want)),
                   .agrees = *bits == format(want).fraction_bits});
}

}  // namespace

void find_order_over_ranks(std::vector<OrderFound>& all, const Call& call, Pass pass) {
  const std::string when = pass == Pass::forward ? "forward" : "backward";
  const LayerDeclaration layer = declared(resized(call, pass, 1, 1, 1));
  const Declaration& how = pass == Pass::forward ? layer.forward : layer.backward;
  const std::vector<Piece> pieces = probe_reduction(call, pass);
  add_trees(all, when, pieces, how, call.tp);
  const std::vector<Roundings> roundings = probe_roundings(call, pass, pieces);
  const DType of_sums = how.order == ReductionOrder::travelling ? how.wire : DType::f32;
  for (const Roundings& r : roundings) add_type(all, when + ", type of the sum so far", r, r.of_sums, of_sums);
  for (const Roundings& r : roundings)
    add_type(all, when + ", type of a contribution", r, r.of_contributions, how.wire);
}

}  // namespace lockstep
