#include "oracle/judges/recorded/judge_freivalds.h"

#include "oracle/judges/freivalds/extent.h"
#include "oracle/judges/freivalds/freivalds_gemm.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <cmath>

namespace lockstep {
namespace {

constexpr double float_limit = 0x1p24, fp8_limit = 0x1p14;

std::vector<double> largest_of_columns(const Tensor& t) {
  std::vector<double> largest(static_cast<std::size_t>(t.cols));
  for (Index i = 0; i < t.rows; ++i)
    for (Index k = 0; k < t.cols; ++k) {
      double& of_k = largest[static_cast<std::size_t>(k)];
      of_k = std::max(of_k, std::abs(double{value_at(t, i, k)}));
    }
  return largest;
}

void refuse_beyond(double sum, int quantum, double limit, const char* where) {
  const double quanta = std::ldexp(sum, -quantum);
  if (!(quanta <= limit))
    refuse(
        "the data is not exact: {} can add up to {:.3g} of its quantum 2^{}, and every order holds {:.0f} at most; "
        "judge freivalds takes small whole numbers",
        where, quanta, quantum, limit);
}

// The sum of m_k, and the most of any 128 of K.
struct Sizes {
  double all = 0, of_a_promotion = 0;
};

Sizes sizes_of(const GemmInputs& g) {
  const auto a = largest_of_columns(g.input), b = largest_of_columns(g.weight);
  Sizes sizes;
  double run = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (k % 128 == 0) run = 0;
    sizes.all += a[k] * b[k];
    run += a[k] * b[k];
    sizes.of_a_promotion = std::max(sizes.of_a_promotion, run);
  }
  return sizes;
}

void add_to(Extent& all, const std::optional<Tensor>& added, const char* name) {
  if (!added) return;
  const Extent extent = extent_of(placed(name, *added), 1);
  if (extent.largest == 0) return;
  all.exponent = all.largest == 0 ? extent.exponent : std::min(all.exponent, extent.exponent);
  all.largest += extent.largest;
}

void expect_exact(const RecordedGemm& recorded) {
  const GemmInputs& g = recorded.inputs;
  const Extent a = extent_of(placed("input", g.input), 1), b = extent_of(placed("weight", g.weight), 1);
  const Sizes sizes = sizes_of(g);
  const int quantum = a.exponent + b.exponent;
  if (bytes_of(g.input.dtype) == 1) {
    const bool is_promoted = recorded.fast_accumulate == false;
    refuse_beyond(is_promoted ? sizes.of_a_promotion : sizes.all, quantum, fp8_limit - 1, "a sum of FP8 products");
  }
  refuse_beyond(sizes.all, quantum, float_limit, "a sum of products");
  const Extent scale = extent_of(scale_of(g));
  Extent all{sizes.all * scale.largest, quantum + scale.exponent};
  add_to(all, g.c, "c");
  add_to(all, g.bias, "bias");
  refuse_beyond(all.largest, all.exponent, float_limit, "an output");
}

}  // namespace

RecordedVerdict judge_freivalds(const RecordedGemm& recorded) {
  expect_product_of_codes(recorded.inputs);
  expect_exact(recorded);
  const Findings findings = freivalds(recorded.inputs, recorded.output, {});
  RecordedVerdict verdict;
  verdict.judge = "freivalds";
  verdict.model = "exact data; output x = input (weight^T x) modulo 2^61 - 1";
  if (recorded.output_amax) verdict.model += "; output_amax not judged";
  verdict.compared = recorded.output.rows * recorded.output.cols;
  for (const WrongElement& wrong : findings.elements)
    verdict.add({"output", wrong.row, wrong.col, recorded.output.dtype, wrong.got, wrong.want});
  verdict.differing += findings.unexamined;
  return verdict;
}

}  // namespace lockstep
