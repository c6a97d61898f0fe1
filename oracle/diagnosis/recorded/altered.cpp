#include "oracle/diagnosis/recorded/altered.h"

#include "oracle/diagnosis/recorded/alter.h"
#include "oracle/diagnosis/recorded/alterations.h"

#include <map>
#include <memory>

namespace lockstep {
namespace {

constexpr double most_products = 2e10;  // multiply-adds of all alterations: some ten seconds

constexpr Index fewest_elements = 4;  // that an alteration must explain

// Of each rank that differs, of each element of what it holds, whether it is what an altered recording gives.
using Hits = std::map<Index, std::vector<bool>>;

std::vector<bool> hits(const RecordedWant& want, const Held& held, DType type) {
  std::vector<bool> all;
  for (const Element& e : held.elements)
    all.push_back(is_right(want, static_cast<std::size_t>(held.rank), e.row - held.rows.begin, e.col - held.cols.begin,
                           type, e.code));
  return all;
}

bool explains_any(const Hits& all, const Evidence& evidence) {
  for (const Held& held : evidence.held)
    for (std::size_t n = 0; n < held.elements.size(); ++n)
      if (held.elements[n].differs && all.at(held.rank)[n]) return true;
  return false;
}

Hypothesis hypothesis(std::string words, Index cost, Hits of, const Evidence& evidence) {
  const auto shared = std::make_shared<Hits>(std::move(of));
  return {std::move(words), cost, [shared, &evidence](const Element& e) {
            const auto held = std::ranges::find(evidence.held, e.rank, &Held::rank);
            return static_cast<bool>(shared->at(e.rank)[static_cast<std::size_t>(&e - held->elements.data())]);
          }};
}

double products(const RecordedGemm& r) {
  const Tensor &input = r.inputs.input, &weight = r.inputs.weight;
  return static_cast<double>(input.rows) * static_cast<double>(input.cols) * static_cast<double>(weight.rows);
}
double products(const RecordedLayer& layer) {
  const Problem& p = layer.problem;
  return static_cast<double>(p.tokens) * static_cast<double>(p.in) * static_cast<double>(p.out);
}

template <typename Recorded>
Hits hits_of(Recorded recorded, const std::function<void(Recorded&)>& alter, Precision precision,
             const Evidence& evidence) {
  alter(recorded);
  const RecordedWant want = want_of(recorded, precision);
  Hits of;
  for (const Held& held : evidence.held) of[held.rank] = hits(want, held, evidence.type);
  return of;
}

template <typename Recorded>
Hypotheses altered(const Recorded& recorded, Precision precision, const Evidence& evidence) {
  Hypotheses all;
  if (evidence.differing < fewest_elements) return all;
  double computed = 0;
  for (const Alteration<Recorded>& alteration : alterations(recorded)) {
    computed += products(recorded);
    if (computed > most_products) break;
    Hits of = hits_of(recorded, alteration.alter, precision, evidence);
    if (explains_any(of, evidence))
      all.push_back(hypothesis(alteration.words, alteration.cost, std::move(of), evidence));
  }
  return all;
}

// Each rank's rows of what it made itself.
Hypothesis own_part(const RecordedLayer& layer, Precision precision, const Evidence& evidence) {
  Hits of;
  for (const Held& held : evidence.held) {
    const auto alone = [&](RecordedLayer& changed) {
      for (std::size_t rank = 0; rank < changed.ranks.size(); ++rank)
        if (rank != static_cast<std::size_t>(held.rank)) multiply(changed.ranks[rank].inputs, 0);
    };
    of[held.rank] = hits_of<RecordedLayer>(layer, alone, precision, evidence).at(held.rank);
  }
  return hypothesis("each rank's own part alone", 2, std::move(of), evidence);
}

}  // namespace

Hypotheses by_alteration(const RecordedGemm& recorded, Precision precision, const Evidence& evidence) {
  return altered(recorded, precision, evidence);
}

Hypotheses by_alteration(const RecordedLayer& recorded, Precision precision, const Evidence& evidence) {
  Hypotheses all = altered(recorded, precision, evidence);
  const double needed = products(recorded) * static_cast<double>(evidence.held.size());
  if (recorded.reduces() && recorded.problem.tp > 1 && needed < most_products)
    all.push_back(own_part(recorded, precision, evidence));
  return all;
}

}  // namespace lockstep
