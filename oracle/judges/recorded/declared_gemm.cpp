#include "oracle/judges/recorded/declared_gemm.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

std::vector<Tensor> outputs_by(const RecordedGemm& recorded, const Accumulator& accumulator) {
  GemmResult result = gemm(recorded.inputs, accumulator);
  std::vector<Tensor> outputs{std::move(result.output)};
  if (!recorded.output_amax) return outputs;
  Matrix amax(1, 1);
  amax(0, 0) = result.amax;
  outputs.push_back(encode(DType::f32, amax));
  return outputs;
}

}  // namespace

Accumulator hopper_accumulator(const GemmInputs& inputs, bool fast_accumulate) {
  if (inputs.input.dtype == DType::f32) return f32_in_order;
  if (bytes_of(inputs.input.dtype) == 2) return hopper_16bit;
  return fast_accumulate || inputs.scaling != Scaling::per_tensor ? hopper_fp8 : hopper_fp8_promoted;
}

Accumulator declared_accumulator(const RecordedGemm& recorded) {
  return hopper_accumulator(recorded.inputs, recorded.fast_accumulate.value_or(false));
}

RecordedOutputs outputs_of(const RecordedGemm& recorded) {
  const PieceOf at = recorded.piece.value_or(PieceOf{});
  RecordedOutputs outputs{{"output", &recorded.output, at.row, at.col}};
  if (recorded.output_amax) outputs.push_back({"output_amax", &*recorded.output_amax});
  return outputs;
}

std::vector<Tensor> declared_outputs(const RecordedGemm& recorded) {
  return outputs_by(recorded, declared_accumulator(recorded));
}

RecordedVerdict judge_declared(const RecordedGemm& recorded) {
  return judge_declared(recorded, declared_accumulator(recorded));
}

RecordedVerdict judge_declared(const RecordedGemm& recorded, const Accumulator& accumulator) {
  RecordedVerdict verdict = compared(outputs_of(recorded), outputs_by(recorded, accumulator));
  verdict.model = describe(recorded, accumulator);
  return verdict;
}

std::string describe(const RecordedGemm& recorded, const Accumulator& accumulator) {
  const GemmInputs& g = recorded.inputs;
  std::string text = (accumulator == declared_accumulator(recorded) ? "Hopper " : "") + describe(accumulator);
  if (g.split_k > 1) text += fmt::format("; split-K {}, added in order", g.split_k);
  if (g.scaling != Scaling::per_tensor) text += "; scales folded in every 128 of K";
  if (g.scaling == Scaling::per_tensor && (g.input_scale || g.weight_scale)) text += "; one scale";
  if (g.c) text += "; + c";
  if (g.bias) text += "; + bias";
  return text + fmt::format("; rounded to {}", name(g.output));
}

}  // namespace lockstep
