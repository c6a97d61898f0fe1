#include "oracle/diagnosis/hypotheses.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace lockstep {
namespace {

using Place = std::function<double(Index rank, Index row, Index col)>;

// An element is `rest` and what comes from another place.
Source source(const Evidence& evidence, std::string what, std::function<double(const Element&)> rest, Place from) {
  return {std::move(what), [=, type = evidence.type](const Element& e, Index row, Index col) {
            return is_got(e, type, rest(e) + from(e.rank, row, col));
          }};
}

// The whole output as it should be.
MatrixOf<double> wanted(const Prepared& prepared, const Evidence& evidence, Index rows, Index cols) {
  MatrixOf<double> whole(rows, cols);
  const auto which = static_cast<std::size_t>(evidence.call);
  const auto& ranks = prepared.wanted[which].find(evidence.output)->second;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto origin = origin_of(problem_of(prepared.a_case.calls[which]), evidence.output, static_cast<Index>(rank));
    const Matrix part = decode(ranks[rank]);
    for (Index i = 0; i < part.rows; ++i)
      for (Index j = 0; j < part.cols; ++j) whole(origin.row + i, origin.col + j) = part(i, j);
  }
  return whole;
}

Shape shape_of(const Prepared& prepared, const Evidence& evidence) {
  const Problem p = problem_of(prepared.a_case.calls[static_cast<std::size_t>(evidence.call)]);
  if (evidence.output == "y") return {p.tokens, p.out};
  if (evidence.output == "dx") return {p.tokens, p.in};
  return evidence.output == "db" ? Shape{1, p.out} : Shape{p.out, p.in};
}

std::vector<Source> biases(const Evidence& evidence, const Terms& terms) {
  if (!terms.has_bias()) return {};
  std::vector<Source> found{source(
      evidence, "the bias", [&](const Element& e) { return e.want - terms.bias_at(e.rank, e.col); },
      [&](Index rank, Index, Index col) { return terms.bias_at(rank, col); })};
  for (Index r = 0; terms.bias_is_summed && terms.bias.rows > 1 && r < terms.bias.rows; ++r)
    found.push_back(source(
        evidence, fmt::format("the bias of rank {}", r),
        [&terms, r](const Element& e) { return static_cast<double>(e.want) - terms.bias(r, e.col); },
        [&terms, r](Index, Index, Index col) { return static_cast<double>(terms.bias(r, col)); }));
  return found;
}

std::vector<Source> products(const Evidence& evidence, const Terms& terms) {
  std::vector<Source> found;
  if (terms.has_bias())
    found.push_back(source(
        evidence, "the product", [&](const Element& e) { return e.want - terms.product(e.row, e.col); },
        [&](Index, Index row, Index col) { return terms.product(row, col); }));
  for (std::size_t s = 0; terms.products.size() > 1 && s < terms.products.size(); ++s)
    found.push_back(source(
        evidence, (terms.bias_is_summed ? "the product of " : "") + terms.names[s],
        [&terms, s](const Element& e) { return e.want - terms.products[s](e.row, e.col); },
        [&terms, s](Index, Index row, Index col) { return terms.products[s](row, col); }));
  if (terms.by_rank() && !terms.by_tokens())
    found.push_back(source(
        evidence, "only the rank's own part", [&](const Element& e) { return terms.after(e.rank, e.col); },
        [&](Index rank, Index row, Index col) {
          return terms.products[static_cast<std::size_t>(rank)](row, col) +
                 (terms.bias_is_summed ? static_cast<double>(terms.bias(rank, col)) : 0.0);
        }));
  return found;
}

}  // namespace

Hypotheses by_place(const Prepared& prepared, const Evidence& evidence, const Terms* terms) {
  Hypotheses all;
  const Shape shape = shape_of(prepared, evidence);
  const auto add = [&](const Source& from, Along along) {
    std::ranges::move(moved(evidence, shape, from, along), std::back_inserter(all));
  };
  const auto want = std::make_shared<MatrixOf<double>>(wanted(prepared, evidence, shape.rows, shape.cols));
  std::vector<Source> both{source(
      evidence, "", [](const Element&) { return 0.0; },
      [want](Index, Index row, Index col) { return (*want)(row, col); })};
  if (terms) std::ranges::copy(products(evidence, *terms), std::back_inserter(both));
  for (const Source& from : both)
    for (const Along along : {Along::rows, Along::columns}) add(from, along);
  if (terms)
    for (const Source& from : biases(evidence, *terms)) add(from, Along::columns);
  return all;
}

}  // namespace lockstep
