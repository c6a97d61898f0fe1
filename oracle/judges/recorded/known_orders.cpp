#include "oracle/judges/recorded/known_orders.h"

#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/judge_bound.h"
#include "oracle/judges/same_value.h"
#include "oracle/order/models.h"
#include "reference/numerics/split_k.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

// The declared one first.
std::vector<Accumulator> accumulators(const GemmInputs& inputs, const Accumulator& declared) {
  std::vector<Accumulator> all{declared};
  const bool in_blocks = inputs.scaling != Scaling::per_tensor;
  for (const Model& model : known_models())
    if (takes(model, inputs.input.dtype) && !(in_blocks && model.accumulator.promote_every > 0) &&
        std::ranges::find(all, model.accumulator) == all.end())
      all.push_back(model.accumulator);
  return all;
}

std::vector<Accumulator> accumulators_of(const RecordedGemm& recorded) {
  const Accumulator declared = declared_accumulator(recorded);
  const bool is_fp8 = bytes_of(recorded.inputs.input.dtype) == 1;
  const bool is_said = recorded.fast_accumulate && (is_fp8 || recorded.knows_split_k);
  return is_said ? std::vector{declared} : accumulators(recorded.inputs, declared);
}

// Splits that cut K alike are one.
std::vector<Index> split_k_of(const RecordedGemm& recorded) {
  const GemmInputs& g = recorded.inputs;
  if (recorded.knows_split_k || g.scaling != Scaling::per_tensor) return {g.split_k};
  std::vector<Index> splits;
  std::vector<std::vector<Range>> seen;
  for (Index split_k = 1; split_k <= max_known_split_k; ++split_k) {
    auto cuts = split_k_ranges(g.input.cols, split_k, split_k_tile(g.input.dtype));
    std::erase_if(cuts, [](const Range& range) { return range.empty(); });
    if (std::ranges::find(seen, cuts) != seen.end()) continue;
    seen.push_back(std::move(cuts));
    splits.push_back(split_k);
  }
  return splits;
}

Tensor first_row(const Tensor& t) {
  return {t.dtype, 1, t.cols, {t.bytes.begin(), t.bytes.begin() + t.cols * bytes_of(t.dtype)}};
}

Tensor first_column(const Tensor& t) {
  Tensor column{t.dtype, t.rows, 1, std::vector<std::byte>(static_cast<std::size_t>(t.rows * bytes_of(t.dtype)))};
  for (Index i = 0; i < t.rows; ++i) set_code(column, i, 0, code_at(t, i, 0));
  return column;
}

// Enough to see that most orders are not the one.
RecordedGemm first_row(const RecordedGemm& recorded) {
  RecordedGemm head = recorded;
  GemmInputs& g = head.inputs;
  g.input = first_row(g.input);
  if (g.c) g.c = first_row(*g.c);
  if (g.scaling != Scaling::per_tensor) g.input_scale = first_column(*g.input_scale);
  head.output = first_row(head.output);
  head.output_amax.reset();
  return head;
}

bool gives(const RecordedLayer& layer, const Ranks& products, const RecordedReduction& reduction) {
  for (Index owner = 0; owner < layer.problem.tp; ++owner) {
    const Tensor& got = layer.ranks[static_cast<std::size_t>(owner)].output;
    ReducedRows rows(layer, products, reduction, owner);
    for (Index i = 0; i < got.rows; ++i)
      for (Index j = 0; j < got.cols; ++j)
        if (!same_value(got.dtype, code_at(got, i, j), encode(got.dtype, rows(i, j)))) return false;
  }
  return true;
}

// Of the orders that give every bit, the first in words, and how many there are.
struct Fits {
  std::string plainest;
  Index count = 0;

  void add(const std::string& words) {
    if (count++ == 0) plainest = words;
  }
};

template <typename Recorded>
RecordedVerdict concluded(const Recorded& recorded, const Fits& fits) {
  RecordedVerdict declared = judge_declared(recorded);
  if (fits.count > 0) {
    declared.differing = 0;
    declared.first.clear();
    declared.model = "found among the orders known: " + fits.plainest;
    if (fits.count > 1) declared.model += fmt::format("; {} more give the same bits", fits.count - 1);
    return declared;
  }
  RecordedVerdict verdict = judge_bound(recorded);
  verdict.model = fmt::format("no known order gives these bits; in the plainest {} of {} differ; {}",
                              declared.differing, declared.compared, verdict.model);
  return verdict;
}

void try_reductions(const RecordedLayer& layer, const Accumulator& accumulator, Fits& fits) {
  const Ranks products = products_to_reduce(layer, accumulator);
  const auto reductions = layer.reduction ? std::vector{*layer.reduction} : known_reductions(layer.problem.tp);
  for (const RecordedReduction& reduction : reductions)
    if (gives(layer, products, reduction)) fits.add(describe(layer, {accumulator, reduction}));
}

void try_gather(const RecordedLayer& layer, const Accumulator& accumulator, Fits& fits) {
  if (compared(outputs_of(layer), outputs_by(layer, {accumulator})).agrees()) fits.add(describe(layer, {accumulator}));
}

}  // namespace

RecordedVerdict judge_by_known_orders(RecordedGemm recorded) {
  RecordedGemm head = first_row(recorded);
  Fits fits;
  for (const Accumulator& accumulator : accumulators_of(recorded))
    for (const Index split_k : split_k_of(recorded)) {
      head.inputs.split_k = recorded.inputs.split_k = split_k;
      if (!judge_declared(head, accumulator).agrees()) continue;
      const RecordedVerdict verdict = judge_declared(recorded, accumulator);
      if (verdict.agrees()) fits.add(verdict.model);
    }
  recorded.inputs.split_k = split_k_of(recorded).front();
  return concluded(recorded, fits);
}

RecordedVerdict judge_by_known_orders(const RecordedLayer& layer) {
  const Accumulator declared = declared_order(layer).accumulator;
  Fits fits;
  for (const Accumulator& accumulator :
       layer.fast_accumulate ? std::vector{declared} : accumulators(layer.ranks.front().inputs, declared))
    layer.reduces() ? try_reductions(layer, accumulator, fits) : try_gather(layer, accumulator, fits);
  return concluded(layer, fits);
}

}  // namespace lockstep
