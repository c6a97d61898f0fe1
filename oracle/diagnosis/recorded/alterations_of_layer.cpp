#include "oracle/diagnosis/recorded/alter.h"
#include "oracle/diagnosis/recorded/alterations.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

using Alterations = std::vector<Alteration<RecordedLayer>>;
using Scale = std::optional<Tensor> GemmInputs::*;

constexpr Index most_ranks_in_pairs = 8;

GemmInputs& of(RecordedLayer& layer, Index rank) { return layer.ranks[static_cast<std::size_t>(rank)].inputs; }
const GemmInputs& of(const RecordedLayer& layer, Index rank) {
  return layer.ranks[static_cast<std::size_t>(rank)].inputs;
}

bool same_shape(const Tensor& a, const Tensor& b) { return a.rows == b.rows && a.cols == b.cols; }

// f(rank, other) of every two.
template <typename F>
void for_pairs(const RecordedLayer& layer, const F& f) {
  const Index tp = layer.problem.tp;
  if (tp > most_ranks_in_pairs) return;
  for (Index rank = 0; rank < tp; ++rank)
    for (Index other = 0; other < tp; ++other)
      if (rank != other) f(rank, other);
}

void add_terms(Alterations& all, const RecordedLayer& layer) {
  for (Index rank = 0; rank < layer.problem.tp; ++rank) {
    const auto times = [rank](float factor) {
      return [=](RecordedLayer& changed) { multiply(of(changed, rank), factor); };
    };
    all.push_back({fmt::format("the sum without rank {}", rank), 1, times(0)});
    all.push_back({fmt::format("the sum with rank {} twice", rank), 1, times(2)});
    all.push_back({fmt::format("rank {} alone", rank), 2, [rank](RecordedLayer& changed) {
                     for (Index other = 0; other < changed.problem.tp; ++other)
                       if (other != rank) multiply(of(changed, other), 0);
                   }});
  }
  for_pairs(layer, [&](Index rank, Index other) {
    all.push_back({fmt::format("rank {} in place of rank {}", other, rank), 2,
                   [=](RecordedLayer& changed) { multiply(of(changed, rank), 0), multiply(of(changed, other), 2); }});
  });
}

// Of a reduction alone: gathered rows that are another rank's are found as such (oracle/diagnosis/moved.h).
void add_operands(Alterations& all, const RecordedLayer& layer) {
  for_pairs(layer, [&](Index rank, Index other) {
    for (const auto& [name, operand] :
         {std::pair("input", &GemmInputs::input), std::pair("weight", &GemmInputs::weight)})
      if (same_shape(of(layer, rank).*operand, of(layer, other).*operand))
        all.push_back({fmt::format("the {} of rank {} in place of rank {}'s", name, other, rank), 2,
                       [=, operand = operand](RecordedLayer& changed) {
                         of(changed, rank).*operand = of(changed, other).*operand;
                       }});
  });
}

void add_scale(Alterations& all, const RecordedLayer& layer, const char* name, Scale scale) {
  const Index tp = layer.problem.tp;
  if (!(of(layer, 0).*scale)) return;
  for_pairs(layer, [&](Index rank, Index other) {
    all.push_back({fmt::format("the {} of rank {} in place of rank {}'s", name, other, rank), 1,
                   [=](RecordedLayer& changed) { of(changed, rank).*scale = of(changed, other).*scale; }});
    if (rank < other)
      all.push_back({fmt::format("the {}s of ranks {} and {} exchanged", name, rank, other), 2,
                     [=](RecordedLayer& changed) { std::swap(of(changed, rank).*scale, of(changed, other).*scale); }});
  });
  for (Index rank = 0; rank < tp; ++rank)
    all.push_back({fmt::format("the {} of rank {} on every rank", name, rank), 2, [=](RecordedLayer& changed) {
                     for (RecordedRank& other : changed.ranks)
                       if (&other.inputs != &of(changed, rank)) other.inputs.*scale = of(changed, rank).*scale;
                   }});
  for (Index rank = 0; rank < tp; ++rank)
    all.push_back({fmt::format("not scaled by the {} of rank {}", name, rank), 1,
                   [=](RecordedLayer& changed) { of(changed, rank).*scale = one(); }});
  all.push_back({fmt::format("not scaled by the {}s", name), 1, [=](RecordedLayer& changed) {
                   for (RecordedRank& rank : changed.ranks) rank.inputs.*scale = one();
                 }});
}

void add_bias(Alterations& all, const RecordedLayer& layer) {
  if (!of(layer, 0).bias) return;
  for (const auto& [words, factor] : {std::pair("added twice", 2.0f), std::pair("missing", 0.0f)}) {
    all.push_back({fmt::format("the bias {}", words), 1, [factor = factor](RecordedLayer& changed) {
                     for (RecordedRank& rank : changed.ranks) multiply(rank.inputs.bias, factor);
                   }});
    for (Index rank = 0; rank < layer.problem.tp; ++rank)
      all.push_back({fmt::format("the bias of rank {} {}", rank, words), 2,
                     [=, factor = factor](RecordedLayer& changed) { multiply(of(changed, rank).bias, factor); }});
  }
  for_pairs(layer, [&](Index rank, Index other) {
    if (same_shape(*of(layer, rank).bias, *of(layer, other).bias))
      all.push_back({fmt::format("the bias of rank {} in place of rank {}'s", other, rank), 2,
                     [=](RecordedLayer& changed) { of(changed, rank).bias = of(changed, other).bias; }});
  });
}

}  // namespace

std::vector<Alteration<RecordedLayer>> alterations(const RecordedLayer& layer) {
  Alterations all;
  if (layer.reduces() && layer.problem.tp > 1) add_terms(all, layer);
  add_bias(all, layer);
  add_scale(all, layer, "input scale", &GemmInputs::input_scale);
  add_scale(all, layer, "weight scale", &GemmInputs::weight_scale);
  if (layer.reduces()) add_operands(all, layer);
  return all;
}

}  // namespace lockstep
