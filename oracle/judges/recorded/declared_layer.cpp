#include "oracle/judges/recorded/declared_layer.h"

#include "oracle/judges/recorded/declared_gemm.h"
#include "reference/ops/reduce_scatter.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

Accumulator accumulator_of(const RecordedLayer& layer) {
  return hopper_accumulator(layer.ranks.front().inputs, layer.fast_accumulate);
}

// The product of one rank's input and another's weight, with the scales that belong to them.
Tensor product(const RecordedLayer& layer, const GemmInputs& of_input, const GemmInputs& of_weight, DType output) {
  return gemm({.input = of_input.input,
               .weight = of_weight.weight,
               .input_scale = of_input.input_scale,
               .weight_scale = of_weight.weight_scale,
               .output = output},
              accumulator_of(layer))
      .output;
}

std::vector<Tensor> all_gather_gemm(const RecordedLayer& layer) {
  std::vector<Tensor> outputs;
  for (const RecordedRank& rank : layer.ranks) {
    Tensor all{rank.output.dtype, 0, rank.output.cols, {}};
    for (const RecordedRank& source : layer.ranks) {
      if (source.inputs.input.rows == 0) continue;
      const Tensor rows = product(layer, source.inputs, rank.inputs, all.dtype);
      all.rows += rows.rows;
      all.bytes.insert(all.bytes.end(), rows.bytes.begin(), rows.bytes.end());
    }
    outputs.push_back(std::move(all));
  }
  return outputs;
}

std::vector<Tensor> gemm_reduce_scatter(const RecordedLayer& layer) {
  Contributions<float> partials;
  for (const RecordedRank& rank : layer.ranks)
    partials.products.push_back(decode(product(layer, rank.inputs, rank.inputs, DType::f32)));
  const DType output = layer.ranks.front().output.dtype;
  std::vector<Tensor> outputs;
  for (const Matrix& shard : reduce_scatter(partials, {accumulator_of(layer), DType::f32, output, output}))
    outputs.push_back(encode(output, shard));
  return outputs;
}

std::string describe_model(const RecordedLayer& layer) {
  const std::string model = "Hopper " + describe(accumulator_of(layer));
  const auto output = name(layer.ranks.front().output.dtype);
  if (layer.kernel == RecordedKernel::all_gather_gemm)
    return fmt::format("{}; rows gathered; rounded to {}", model, output);
  return fmt::format("{}; partials rounded to {}, summed in float in the order of the ranks, rounded to {}", model,
                     output, output);
}

}  // namespace

std::vector<Tensor> declared_outputs(const RecordedLayer& layer) {
  return layer.kernel == RecordedKernel::all_gather_gemm ? all_gather_gemm(layer) : gemm_reduce_scatter(layer);
}

RecordedVerdict judge_declared(const RecordedLayer& layer) {
  RecordedVerdict verdict;
  verdict.model = describe_model(layer);
  const std::vector<Tensor> want = declared_outputs(layer);
  for (std::size_t rank = 0; rank < want.size(); ++rank)
    compare(verdict, fmt::format("rank{}.output", rank), layer.ranks[rank].output, want[rank]);
  return verdict;
}

}  // namespace lockstep
