#include "oracle/judges/freivalds/freivalds_gemm.h"

#include "oracle/judges/freivalds/ones.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

float scalar(const std::optional<Tensor>& scale) { return scale ? value_at(*scale, 0, 0) : 1.0f; }

}  // namespace

void expect_product_of_codes(const GemmInputs& g) {
  if (g.scaling != Scaling::per_tensor)
    refuse("a GEMM with scales by blocks is no product of its codes: Freivalds' check takes one scale a tensor");
  if (g.output_scale != 1)
    refuse("output_scale is {}: Freivalds' check takes outputs that are not scaled", g.output_scale);
}

float scale_of(const GemmInputs& g) { return scalar(g.input_scale) * scalar(g.weight_scale); }

Findings freivalds(const GemmInputs& g, const Tensor& output, const FreivaldsOptions& options) {
  expect_product_of_codes(g);
  const Tensor column = ones(g.input.rows, 1);
  Claim claim{.c = placed("output", output),
              .terms = {{placed("input", g.input), placed("weight", g.weight), scale_of(g)}}};
  if (g.bias) claim.terms.push_back({placed("a column of ones", column), transposed(placed("bias", *g.bias))});
  if (g.c && g.beta != 0) claim.d = placed("c", *g.c);
  return freivalds(claim, options);
}

}  // namespace lockstep
