#include "oracle/diagnosis/hypotheses.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

// Something that is added once.
struct Term {
  std::string name;
  std::function<double(const Element&)> at;
};

// Of a rank that may depend on who holds the element.
using RankOf = std::function<std::size_t(const Element&)>;

Term product_of(const Terms& terms, std::string name, RankOf rank) {
  return {std::move(name), [&terms, rank](const Element& e) { return terms.products[rank(e)](e.row, e.col); }};
}

Term bias_of(const Terms& terms, std::string name, RankOf rank) {
  return {std::move(name), [&terms, rank](const Element& e) {
            return static_cast<double>(terms.bias(static_cast<Index>(rank(e)), e.col));
          }};
}

Term together(std::string name, const Term& a, const Term& b) {
  return {std::move(name), [a = a.at, b = b.at](const Element& e) { return a(e) + b(e); }};
}

// All that one rank contributes, and its two parts where it has two.
void add_contribution(std::vector<Term>& whole, std::vector<Term>& parts, const Terms& terms, const std::string& name,
                      const RankOf& rank) {
  const Term product = product_of(terms, terms.bias_is_summed ? "the product of " + name : name, rank);
  if (!terms.bias_is_summed) return whole.push_back(product);
  const Term bias = bias_of(terms, "the bias of " + name, rank);
  whole.push_back(together(name, product, bias));
  parts.push_back(product), parts.push_back(bias);
}

// Of the rank that is `before` so many before the one that adds up.
std::string relative_name(const Terms& terms, std::size_t before) {
  const std::string_view what = terms.by_tokens() ? "tokens" : "part";
  if (before == 0) return fmt::format("the rank's own {}", what);
  if (before == 1) return fmt::format("the {} of the rank before", what);
  if (before + 1 == terms.products.size()) return fmt::format("the {} of the rank after", what);
  return fmt::format("the {} of the rank {} before", what, before);
}

struct Named {
  std::vector<Term> whole, parts;
};

Named named(const Evidence& evidence, const Terms& terms) {
  Named all;
  const auto shards = terms.products.size();
  for (std::size_t s = 0; s < shards; ++s)
    add_contribution(all.whole, all.parts, terms, terms.names[s], [s](const Element&) { return s; });
  if (terms.by_rank() && evidence.held.size() > 1)
    for (std::size_t d = 0; d < shards; ++d)
      add_contribution(all.whole, all.parts, terms, relative_name(terms, d), [&terms, shards, d](const Element& e) {
        return (static_cast<std::size_t>(terms.adder(e.rank, e.row)) + shards - d) % shards;
      });
  if (terms.has_bias())
    all.parts.push_back({"the bias", [&terms](const Element& e) { return terms.bias_at(e.rank, e.col); }});
  if (terms.has_bias() && shards > 1)
    all.parts.push_back({"every product", [&terms](const Element& e) { return terms.product(e.row, e.col); }});
  if (!terms.start.values.empty())
    all.parts.push_back(
        {"the main gradient at the start", [&terms](const Element& e) { return terms.start_at(e.row, e.col); }});
  return all;
}

void add_changes_of(Hypotheses& all, DType type, const Term& term, Index cost) {
  all.push_back(says(type, cost, term.name + " missing", [at = term.at](const Element& e) { return e.want - at(e); }));
  all.push_back(says(type, cost, term.name + " twice", [at = term.at](const Element& e) { return e.want + at(e); }));
  all.push_back(
      says(type, cost + 3, term.name + " negated", [at = term.at](const Element& e) { return e.want - 2 * at(e); }));
}

void add_replacements(Hypotheses& all, DType type, const std::vector<Term>& terms, Index cost) {
  for (const Term& lost : terms)
    for (const Term& found : terms)
      if (lost.name != found.name)
        all.push_back(
            says(type, cost, fmt::format("{} in place of {}", found.name, lost.name),
                 [lost = lost.at, found = found.at](const Element& e) { return e.want - lost(e) + found(e); }));
}

Hypothesis own_for_all(DType type, const Terms& terms) {
  return says(type, 2,
              terms.by_tokens() ? "the rank's own tokens once for each rank" : "the rank's own part once for each rank",
              [&terms](const Element& e) {
                const Index adder = terms.adder(e.rank, e.row);
                const double bias = terms.bias_is_summed ? static_cast<double>(terms.bias(adder, e.col)) : 0.0;
                const double own = terms.products[static_cast<std::size_t>(adder)](e.row, e.col) + bias;
                return static_cast<double>(terms.products.size()) * own + terms.after(e.rank, e.col);
              });
}

std::vector<Term> biases(const Named& terms) {
  std::vector<Term> found;
  for (const Term& term : terms.parts)
    if (term.name.starts_with("the bias of")) found.push_back(term);
  return found;
}

}  // namespace

Hypotheses by_term(const Evidence& evidence, const Terms& terms) {
  Hypotheses all;
  const DType type = evidence.type;
  const Named known = named(evidence, terms);
  const bool is_one = terms.products.size() == 1;  // whose sum it is all of, but for a bias or a start
  if (is_one && known.parts.empty()) return all;
  for (const Term& term : known.whole) {
    add_changes_of(all, type, term, is_one ? 2 : 1);
    if (terms.products.size() > 2 || !terms.start.values.empty())
      all.push_back(says(type, 2, "only " + term.name,
                         [&terms, at = term.at](const Element& e) { return at(e) + terms.after(e.rank, e.col); }));
  }
  for (const Term& term : known.parts) add_changes_of(all, type, term, 2);
  if (terms.by_rank() && !is_one) all.push_back(own_for_all(type, terms));
  add_replacements(all, type, known.whole, 5);
  if (terms.bias_is_summed && terms.products.size() > 2)  // else it is there twice
    all.push_back(says(type, 3, fmt::format("the bias {} times", terms.products.size()), [&terms](const Element& e) {
      return e.want + static_cast<double>(terms.products.size() - 1) * terms.bias_at(e.rank, e.col);
    }));
  const auto of_ranks = biases(known);
  add_replacements(all, type, of_ranks, 5);
  if (terms.products.size() > 2)
    for (const Term& bias : of_ranks)
      all.push_back(says(type, 3, "of the biases only " + bias.name,
                         [&terms, at = bias.at](const Element& e) { return terms.product(e.row, e.col) + at(e); }));
  return all;
}

}  // namespace lockstep
