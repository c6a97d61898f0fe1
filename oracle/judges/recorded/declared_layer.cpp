#include "oracle/judges/recorded/declared_layer.h"

#include "oracle/judges/recorded/declared_gemm.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

// The product of one rank's input and another's weight, with the scales that belong to them.
Tensor product(const RecordedLayer& layer, const GemmInputs& of_input, const GemmInputs& of_weight,
               const Accumulator& accumulator, DType output) {
  return gemm({.input = of_input.input,
               .weight = of_weight.weight,
               .input_scale = of_input.input_scale,
               .weight_scale = of_weight.weight_scale,
               .bias = layer.adds_bias_late ? std::nullopt : of_weight.bias,
               .output = output},
              accumulator)
      .output;
}

// The rows of all ranks, each with its own scale, or the rank's own.
std::vector<Tensor> without_reduction(const RecordedLayer& layer, const Accumulator& accumulator) {
  std::vector<Tensor> outputs;
  for (const RecordedRank& rank : layer.ranks) {
    Tensor all{rank.output.dtype, 0, rank.output.cols, {}};
    for (const RecordedRank& source : layer.ranks) {
      if (source.inputs.input.rows == 0 || (!layer.gathers() && &source != &rank)) continue;
      const Tensor rows = product(layer, source.inputs, rank.inputs, accumulator, all.dtype);
      all.rows += rows.rows;
      all.bytes.insert(all.bytes.end(), rows.bytes.begin(), rows.bytes.end());
    }
    outputs.push_back(std::move(all));
  }
  return outputs;
}

std::vector<Tensor> gemm_reduce_scatter(const RecordedLayer& layer, const LayerOrder& order) {
  const Ranks products = products_to_reduce(layer, order.accumulator);
  std::vector<Tensor> outputs;
  for (Index owner = 0; owner < layer.problem.tp; ++owner) {
    const Tensor& got = layer.ranks[static_cast<std::size_t>(owner)].output;
    ReducedRows rows(layer, products, order.reduction, owner);
    outputs.push_back(
        encode(got.dtype, matrix_of<float>(got.rows, got.cols, [&](Index i, Index j) { return rows(i, j); })));
  }
  return outputs;
}

void add_late_bias(const RecordedLayer& layer, std::vector<Tensor>& outputs) {
  for (std::size_t rank = 0; rank < outputs.size(); ++rank) {
    if (!layer.ranks[rank].inputs.bias) continue;
    const Matrix bias = decode(*layer.ranks[rank].inputs.bias), sum = decode(outputs[rank]);
    outputs[rank] =
        encode(outputs[rank].dtype,
               matrix_of<float>(sum.rows, sum.cols, [&](Index i, Index j) { return sum(i, j) + bias(0, j); }));
  }
}

}  // namespace

LayerOrder declared_order(const RecordedLayer& layer) {
  return {hopper_accumulator(layer.ranks.front().inputs, layer.fast_accumulate.value_or(false)),
          layer.reduction.value_or(plain_reduction)};
}

RecordedOutputs outputs_of(const RecordedLayer& layer) {
  RecordedOutputs outputs;
  const PieceOf at = layer.piece.value_or(PieceOf{});
  for (std::size_t rank = 0; rank < layer.ranks.size(); ++rank)
    outputs.push_back({layer.piece ? at.name : fmt::format("rank{}.{}", rank, layer.output), &layer.ranks[rank].output,
                       at.row, at.col});
  return outputs;
}

Ranks products_to_reduce(const RecordedLayer& layer, const Accumulator& accumulator) {
  Ranks products;
  for (const RecordedRank& rank : layer.ranks)
    products.push_back(decode(product(layer, rank.inputs, rank.inputs, accumulator, DType::f32)));
  return products;
}

ReducedRows::ReducedRows(const RecordedLayer& layer, const Ranks& products, const RecordedReduction& reduction,
                         Index owner)
    : products_(products),
      reduction_(reduction),
      output_(layer.ranks.front().output.dtype),
      first_row_(layer.kept_by(owner).begin),
      order_(ranks_in_order(reduction, std::ssize(products), owner)),
      terms_(products.size()) {}

float ReducedRows::operator()(Index i, Index j) {
  for (std::size_t step = 0; step < terms_.size(); ++step)
    terms_[step] = products_[static_cast<std::size_t>(order_[step])](first_row_ + i, j);
  return reduced(reduction_, output_, terms_);
}

std::vector<Tensor> outputs_by(const RecordedLayer& layer, const LayerOrder& order) {
  std::vector<Tensor> outputs =
      layer.reduces() ? gemm_reduce_scatter(layer, order) : without_reduction(layer, order.accumulator);
  if (layer.adds_bias_late) add_late_bias(layer, outputs);
  return outputs;
}

std::vector<Tensor> declared_outputs(const RecordedLayer& layer) { return outputs_by(layer, declared_order(layer)); }

RecordedVerdict judge_declared(const RecordedLayer& layer) {
  RecordedVerdict verdict = compared(outputs_of(layer), declared_outputs(layer));
  verdict.model = describe(layer, declared_order(layer));
  return verdict;
}

std::string describe(const RecordedLayer& layer, const LayerOrder& order) {
  const bool is_core = order.accumulator.summation == Summation::tensor_core;
  const bool is_hopper =
      is_core && (order.accumulator == declared_order(layer).accumulator || order.accumulator == hopper_fp8);
  const std::string model = (is_hopper ? "Hopper " : "") + describe(order.accumulator);
  const DType output = layer.ranks.front().output.dtype;
  const std::string late = layer.adds_bias_late && layer.ranks.front().inputs.bias ? "; + bias, rounded again" : "";
  if (layer.reduces()) return fmt::format("{}; {}{}", model, describe(order.reduction, output), late);
  return fmt::format("{}; {}rounded to {}{}", model, layer.gathers() ? "rows gathered; " : "", name(output), late);
}

}  // namespace lockstep
