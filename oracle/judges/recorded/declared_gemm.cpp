#include "oracle/judges/recorded/declared_gemm.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

std::string describe_model(const RecordedGemm& recorded, const Accumulator& accumulator) {
  const GemmInputs& g = recorded.inputs;
  std::string text = "Hopper " + describe(accumulator);
  if (g.split_k > 1) text += fmt::format("; split-K {}, added in order", g.split_k);
  if (g.scaling != Scaling::per_tensor) text += "; scales folded in every 128 of K";
  if (g.scaling == Scaling::per_tensor && (g.input_scale || g.weight_scale)) text += "; one scale";
  if (g.c) text += "; + c";
  if (g.bias) text += "; + bias";
  return text + fmt::format("; rounded to {}", name(g.output));
}

}  // namespace

Accumulator hopper_accumulator(const GemmInputs& inputs, bool fast_accumulate) {
  if (bytes_of(inputs.input.dtype) == 2) return hopper_16bit;
  return fast_accumulate || inputs.scaling != Scaling::per_tensor ? hopper_fp8 : hopper_fp8_promoted;
}

RecordedVerdict judge_declared(const RecordedGemm& recorded) {
  const Accumulator accumulator = hopper_accumulator(recorded.inputs, recorded.fast_accumulate);
  const GemmResult want = gemm(recorded.inputs, accumulator);
  RecordedVerdict verdict;
  verdict.model = describe_model(recorded, accumulator);
  compare(verdict, "output", recorded.output, want.output);
  if (recorded.output_amax) {
    Matrix amax(1, 1);
    amax(0, 0) = want.amax;
    compare(verdict, "output_amax", *recorded.output_amax, encode(DType::f32, amax));
  }
  return verdict;
}

}  // namespace lockstep
