#include "oracle/judges/recorded/known_orders.h"

#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
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
    const auto& bias = layer.ranks[static_cast<std::size_t>(owner)].inputs.bias;
    ReducedRows rows(layer, products, reduction, owner);
    const auto wanted = [&](Index i, Index j) {
      const std::uint32_t code = encode(got.dtype, rows(i, j));
      if (!layer.adds_bias_late || !bias) return code;
      return encode(got.dtype, decode(got.dtype, code) + value_at(*bias, 0, j));
    };
    for (Index i = 0; i < got.rows; ++i)
      for (Index j = 0; j < got.cols; ++j)
        if (!same_value(got.dtype, code_at(got, i, j), wanted(i, j))) return false;
  }
  return true;
}

// The products are made once for each accumulator.
KnownOrders reductions_that_give(const RecordedLayer& layer, const KnownOrders& orders) {
  KnownOrders found;
  std::optional<Accumulator> of_products;
  Ranks products;
  for (const KnownOrder& order : orders) {
    if (of_products != order.accumulator) products = products_to_reduce(layer, order.accumulator);
    of_products = order.accumulator;
    if (gives(layer, products, order.reduction)) found.push_back(order);
  }
  return found;
}

RecordedVerdict judged(RecordedGemm& recorded, const KnownOrder& order) {
  recorded.inputs.split_k = order.split_k;
  return judge_declared(recorded, order.accumulator);
}

}  // namespace

KnownOrders known_orders(const RecordedGemm& recorded) {
  KnownOrders all;
  for (const Accumulator& accumulator : accumulators_of(recorded))
    for (const Index split_k : split_k_of(recorded)) all.push_back({accumulator, split_k});
  return all;
}

KnownOrders known_orders(const RecordedLayer& layer) {
  const Accumulator declared = declared_order(layer).accumulator;
  KnownOrders all;
  for (const Accumulator& accumulator : layer.fast_accumulate&& layer.is_hopper
                                            ? std::vector{declared}
                                            : accumulators(layer.ranks.front().inputs, declared))
    for (const RecordedReduction& reduction : layer.reduction || !layer.reduces()
                                                  ? std::vector{layer.reduction.value_or(plain_reduction)}
                                                  : known_reductions(layer.problem.tp))
      all.push_back({accumulator, 1, reduction});
  return all;
}

KnownOrders those_that_give(const RecordedGemm& recorded, const KnownOrders& orders) {
  RecordedGemm head = first_row(recorded), all = recorded;
  KnownOrders found;
  for (const KnownOrder& order : orders)
    if (judged(head, order).agrees() && judged(all, order).agrees()) found.push_back(order);
  return found;
}

KnownOrders those_that_give(const RecordedLayer& layer, const KnownOrders& orders) {
  if (layer.reduces()) return reductions_that_give(layer, orders);
  KnownOrders found;
  for (const KnownOrder& order : orders)
    if (compared(outputs_of(layer), outputs_by(layer, {order.accumulator, order.reduction})).agrees())
      found.push_back(order);
  return found;
}

std::string describe(const RecordedGemm& recorded, const KnownOrder& order) {
  RecordedGemm of_order = recorded;
  of_order.inputs.split_k = order.split_k;
  return describe(of_order, order.accumulator);
}

std::string describe(const RecordedLayer& layer, const KnownOrder& order) {
  return describe(layer, LayerOrder{order.accumulator, order.reduction});
}

}  // namespace lockstep
