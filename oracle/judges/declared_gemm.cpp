#include "oracle/judges/declared_gemm.h"

#include "oracle/judges/same_value.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr std::size_t most_named = 8;

void compare(GemmVerdict& verdict, const std::string& tensor, const Tensor& got, const Tensor& want) {
  for (Index i = 0; i < want.rows; ++i)
    for (Index j = 0; j < want.cols; ++j) {
      ++verdict.compared;
      const std::uint32_t got_code = code_at(got, i, j), want_code = code_at(want, i, j);
      if (same_value(want.dtype, got_code, want_code)) continue;
      ++verdict.differing;
      if (verdict.first.size() < most_named) verdict.first.push_back({tensor, i, j, want.dtype, got_code, want_code});
    }
}

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

Accumulator hopper_accumulator(const RecordedGemm& recorded) {
  if (bytes_of(recorded.inputs.input.dtype) == 2) return hopper_16bit;
  const bool by_block = recorded.inputs.scaling != Scaling::per_tensor;
  return recorded.fast_accumulate || by_block ? hopper_fp8 : hopper_fp8_promoted;
}

GemmVerdict judge_declared(const RecordedGemm& recorded) {
  const Accumulator accumulator = hopper_accumulator(recorded);
  const GemmResult want = gemm(recorded.inputs, accumulator);
  GemmVerdict verdict;
  verdict.model = describe_model(recorded, accumulator);
  compare(verdict, "output", recorded.output, want.output);
  if (recorded.output_amax) {
    Matrix amax(1, 1);
    amax(0, 0) = want.amax;
    compare(verdict, "output_amax", *recorded.output_amax, encode(DType::f32, amax));
  }
  return verdict;
}

std::string describe(const GemmDifference& d) {
  const auto digits = 2 * bytes_of(d.dtype);
  return fmt::format("{}[{}, {}] is {} (0x{:0{}x}), should be {} (0x{:0{}x})", d.tensor, d.row, d.col,
                     decode(d.dtype, d.got), d.got, digits, decode(d.dtype, d.want), d.want, digits);
}

}  // namespace lockstep
