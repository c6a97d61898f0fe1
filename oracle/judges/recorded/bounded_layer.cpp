#include "oracle/judges/recorded/bounded_layer.h"

#include "oracle/judges/recorded/bounded_gemm.h"
#include "reference/ops/ranks.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// What a product may err by where it was rounded before the bias was added. What is known to the bit is rounded to one
// value, and that is not meant here.
double of_a_rounding(DType type, const Bounded& sum, float bias) {
  const double value = sum.value - bias;
  return round_to(type, Bounded(value, std::max(sum.radius, 0x1p-300), std::abs(value))).error();
}

// Each addition rounded to the output's type.
MatrixOf<Bounded> rounded_sums(const RecordedRank& rank) {
  const Matrix input = decode(rank.inputs.input), weight = decode(rank.inputs.weight);
  const DType type = rank.output.dtype;
  return matrix_of<Bounded>(input.rows, weight.rows, [&](Index i, Index j) {
    Bounded sum;
    for (Index k = 0; k < input.cols; ++k) sum = add(sum, input(i, k) * weight(j, k));
    return round_to(type, rounded_at_every_step(type, sum));
  });
}

// The product of one rank's input and another's weight, rounded to the output.
MatrixOf<Bounded> product(const RecordedLayer& layer, const RecordedRank& of_input, const RecordedRank& of_weight) {
  const auto& bias = of_weight.inputs.bias;
  const DType type = of_weight.output.dtype;
  const bool adds_bias = bias && !layer.adds_bias_late;
  MatrixOf<Bounded> values = bounded_values({.input = of_input.inputs.input,
                                             .weight = of_weight.inputs.weight,
                                             .input_scale = of_input.inputs.input_scale,
                                             .weight_scale = of_weight.inputs.weight_scale,
                                             .bias = adds_bias ? bias : std::nullopt});
  for (Index i = 0; i < values.rows; ++i)
    for (Index j = 0; j < values.cols; ++j) {
      Bounded& value = values(i, j);
      if (adds_bias) value.radius += of_a_rounding(type, value, value_at(*bias, 0, j));
      value = round_to(type, value);
    }
  return values;
}

std::vector<MatrixOf<Bounded>> without_reduction(const RecordedLayer& layer) {
  std::vector<MatrixOf<Bounded>> outputs;
  for (const RecordedRank& rank : layer.ranks) {
    MatrixOf<Bounded>& all = outputs.emplace_back(0, rank.output.cols);
    for (const RecordedRank& source : layer.ranks) {
      if (!layer.gathers() && &source != &rank) continue;
      const MatrixOf<Bounded> rows = layer.rounds_every_sum ? rounded_sums(rank) : product(layer, source, rank);
      all.rows += rows.rows;
      all.values.insert(all.values.end(), rows.values.begin(), rows.values.end());
    }
  }
  return outputs;
}

std::vector<MatrixOf<Bounded>> gemm_reduce_scatter(const RecordedLayer& layer) {
  std::vector<MatrixOf<Bounded>> products, outputs;
  for (const RecordedRank& rank : layer.ranks) products.push_back(product(layer, rank, rank));
  const DType type = layer.ranks.front().output.dtype;
  for (Index owner = 0; owner < layer.problem.tp; ++owner) {
    const Range rows = layer.kept_by(owner);
    outputs.push_back(matrix_of<Bounded>(rows.size(), layer.problem.out, [&](Index i, Index j) {
      Bounded sum;
      for (const MatrixOf<Bounded>& of_rank : products) sum = add(sum, of_rank(rows.begin + i, j));
      return round_to(type, rounded_at_every_step(type, sum));
    }));
  }
  return outputs;
}

void add_late_bias(const RecordedRank& rank, MatrixOf<Bounded>& values) {
  if (!rank.inputs.bias) return;
  for (Index i = 0; i < values.rows; ++i)
    for (Index j = 0; j < values.cols; ++j)
      values(i, j) = round_to(rank.output.dtype, add(values(i, j), value_at(*rank.inputs.bias, 0, j)));
}

}  // namespace

std::vector<MatrixOf<Bounded>> bounded_outputs(const RecordedLayer& layer) {
  auto outputs = layer.reduces() ? gemm_reduce_scatter(layer) : without_reduction(layer);
  for (std::size_t rank = 0; layer.adds_bias_late && rank < outputs.size(); ++rank)
    add_late_bias(layer.ranks[rank], outputs[rank]);
  return outputs;
}

}  // namespace lockstep
