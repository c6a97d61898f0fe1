#include "oracle/judges/recorded/bounded_layer.h"

#include "oracle/judges/recorded/bounded_gemm.h"
#include "reference/ops/ranks.h"

namespace lockstep {
namespace {

// The product of one rank's input and another's weight, rounded to the output.
MatrixOf<Bounded> product(const RecordedRank& of_input, const RecordedRank& of_weight) {
  MatrixOf<Bounded> values = bounded_values({.input = of_input.inputs.input,
                                             .weight = of_weight.inputs.weight,
                                             .input_scale = of_input.inputs.input_scale,
                                             .weight_scale = of_weight.inputs.weight_scale});
  for (Bounded& value : values.values) value = round_to(of_weight.output.dtype, value);
  return values;
}

std::vector<MatrixOf<Bounded>> all_gather_gemm(const RecordedLayer& layer) {
  std::vector<MatrixOf<Bounded>> outputs;
  for (const RecordedRank& rank : layer.ranks) {
    MatrixOf<Bounded>& all = outputs.emplace_back(0, rank.output.cols);
    for (const RecordedRank& source : layer.ranks) {
      const MatrixOf<Bounded> rows = product(source, rank);
      all.rows += rows.rows;
      all.values.insert(all.values.end(), rows.values.begin(), rows.values.end());
    }
  }
  return outputs;
}

std::vector<MatrixOf<Bounded>> gemm_reduce_scatter(const RecordedLayer& layer) {
  std::vector<MatrixOf<Bounded>> products, outputs;
  for (const RecordedRank& rank : layer.ranks) products.push_back(product(rank, rank));
  const DType type = layer.ranks.front().output.dtype;
  for (Index owner = 0; owner < layer.problem.tp; ++owner) {
    const Range rows = layer.problem.tokens_of(owner);
    outputs.push_back(matrix_of<Bounded>(rows.size(), layer.problem.out, [&](Index i, Index j) {
      Bounded sum;
      for (const MatrixOf<Bounded>& of_rank : products) sum = add(sum, of_rank(rows.begin + i, j));
      return round_to(type, rounded_at_every_step(type, sum));
    }));
  }
  return outputs;
}

}  // namespace

std::vector<MatrixOf<Bounded>> bounded_outputs(const RecordedLayer& layer) {
  return layer.reduces() ? gemm_reduce_scatter(layer) : all_gather_gemm(layer);
}

}  // namespace lockstep
