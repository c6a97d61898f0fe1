#include "oracle/judges/cuda/bound_on_device.h"

#include "oracle/judges/cuda/double_sums.h"
#include "oracle/judges/cuda/read_back.h"
#include "reference/contract/refusal.h"
#include "reference/numerics/error_bounds.h"

namespace lockstep {
namespace {

void expect_size(const char* called, const MatrixOnDevice& m, Index rows, Index cols) {
  expect_matrix(called, m);
  if (rows_of(m) != rows || cols_of(m) != cols)
    refuse("{} is {} x {}: beside the input and the weight it is {} x {}", called, rows_of(m), cols_of(m), rows, cols);
}

void expect_scale(const char* called, float scale) {
  if (!std::isfinite(scale)) refuse("{} is {}: a scale is finite", called, scale);
}

void expect_gemm(const GemmOnDevice& g) {
  const Index m = rows_of(g.input), n = rows_of(g.weight), k = cols_of(g.input);
  expect_size("input", g.input, m, k);
  expect_size("weight", g.weight, n, k);
  expect_size("output", g.output, m, n);
  if (k == 0) refuse("input and weight have no columns: there is no sum to bound, at least 1 is needed");
  if (g.c) expect_size("c", *g.c, m, n);
  if (g.bias) expect_size("bias", *g.bias, 1, n);
  expect_scale("input_scale", g.input_scale.value_or(1));
  expect_scale("weight_scale", g.weight_scale.value_or(1));
  expect_scale("output_scale", g.output_scale);
}

SumError error_of(const GemmOnDevice& g, const std::optional<Accumulator>& accumulator) {
  const Index k = cols_of(g.input);
  return accumulator ? error_of_sums(*accumulator, k) : error_of_sums_in_any_order(g.input.type, k);
}

// Where the order is withheld, a sum on 16 bits may have started from c or bias.
ElementSteps steps_of(const GemmOnDevice& g, const std::optional<Accumulator>& accumulator) {
  const SumError error = error_of(g, accumulator);
  const bool may_start = !accumulator && bytes_of(g.input.type) == 2;
  return {.relative = error.relative,
          .absolute = error.absolute,
          .of_start = may_start ? error.relative : 0,
          .has_scales = g.input_scale || g.weight_scale,
          .scale_a = g.input_scale.value_or(1),
          .scale_b = g.weight_scale.value_or(1),
          .output_scale = g.output_scale,
          .output = rounding_to(g.output.type)};
}

float smallest_normal(DType type) {
  return type == DType::f32 ? 0.0f : std::ldexp(1.0f, rounding_to(type).smallest_exponent);
}

BoundedGemm bounded(const GemmOnDevice& g, const std::optional<Accumulator>& accumulator) {
  return {g.input,
          g.weight,
          g.output,
          g.c.value_or(MatrixOnDevice{}),
          g.bias.value_or(MatrixOnDevice{}),
          smallest_normal(g.input.type),
          smallest_normal(g.weight.type),
          steps_of(g, accumulator)};
}

WrongOnDevice wrong_element(const BoundedGemm& g, Index place, Scratch& scratch, cudaStream_t on) {
  const Index row = place / cols_of(g.output), col = place % cols_of(g.output);
  auto* const element = scratch.take<BoundedElement>(1);
  bound_element(g, row, col, element, on);
  const BoundedElement found = read_back(element, 1, on)[0];
  return {row, col, found.got, found.want, found.bound};
}

}  // namespace

BoundFindings bound_on_device(const GemmOnDevice& gemm, const std::optional<Accumulator>& accumulator, Scratch& scratch,
                              cudaStream_t on) {
  expect_gemm(gemm);
  scratch.reset();
  const BoundedGemm g = bounded(gemm, accumulator);
  auto* const report = zeros<BoundReport>(scratch, 1, on);
  judge_elements(g, report, on);
  const BoundReport all = read_back(report, 1, on)[0];
  BoundFindings findings{.wrong = static_cast<Index>(all.wrong),
                         .unjudged = static_cast<Index>(all.unjudged),
                         .utilisation = std::bit_cast<double>(std::uint64_t{all.utilisation})};
  if (!findings.agrees()) findings.first = wrong_element(g, static_cast<Index>(~all.first_from_end), scratch, on);
  return findings;
}

}  // namespace lockstep
