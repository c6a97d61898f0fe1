#include "oracle/judges/recorded/exact.h"

#include "oracle/judges/freivalds/extent.h"
#include "oracle/judges/freivalds/freivalds_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "reference/contract/refusal.h"

#include <algorithm>
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

bool is_exact(const GemmInputs& inputs, std::optional<bool> fast_accumulate) try {
  if (inputs.scaling != Scaling::per_tensor) return false;
  expect_exact(inputs, fast_accumulate);
  return true;
} catch (const Refusal&) {
  return false;
}

bool has(DType type, double value) { return static_cast<double>(round_to(type, static_cast<float>(value))) == value; }

// Of numbers of the type, whether all sums of some of them are too: whole numbers of the finest, and few of it.
bool adds_exactly(DType type, const std::vector<float>& terms) {
  double all = 0, quantum = 0;
  for (const float term : terms) {
    if (!has(type, term)) return false;
    if (term == 0) continue;
    int exponent = 0;
    const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(std::abs(term), &exponent), 24));
    const double lowest = std::ldexp(static_cast<double>(digits & -digits), exponent - 24);
    quantum = quantum == 0 ? lowest : std::min(quantum, lowest);
    all += std::abs(double{term});
  }
  return has(type, quantum) && all <= format(type).largest &&
         all <= quantum * std::ldexp(1.0, format(type).fraction_bits + 1);
}

bool products_add_exactly(const RecordedLayer& layer) {
  const Ranks products = products_to_reduce(layer, f32_in_order);
  std::vector<float> terms(products.size());
  for (std::size_t n = 0; n < products.front().values.size(); ++n) {
    for (std::size_t rank = 0; rank < products.size(); ++rank) terms[rank] = products[rank].values[n];
    if (!adds_exactly(layer.ranks.front().output.dtype, terms)) return false;
  }
  return true;
}

// Of one rank's input and another's weight: with a bias that may be added to what was rounded.
bool is_exact(const RecordedLayer& layer, const RecordedRank& source, const RecordedRank& rank) {
  GemmInputs g{.input = source.inputs.input,
               .weight = rank.inputs.weight,
               .input_scale = source.inputs.input_scale,
               .weight_scale = rank.inputs.weight_scale};
  const bool adds_bias = rank.inputs.bias && !layer.adds_bias_late;
  const auto has_code = [&](float value) { return has(rank.output.dtype, value); };
  if (adds_bias && !std::ranges::all_of(decode(gemm(g, f32_in_order).output).values, has_code)) return false;
  if (adds_bias) g.bias = rank.inputs.bias;
  return is_exact(g, layer.is_hopper ? layer.fast_accumulate : std::nullopt);
}

}  // namespace

void expect_exact(const GemmInputs& g, std::optional<bool> fast_accumulate) {
  const Extent a = extent_of(placed("input", g.input), 1), b = extent_of(placed("weight", g.weight), 1);
  const Sizes sizes = sizes_of(g);
  const int quantum = a.exponent + b.exponent;
  if (bytes_of(g.input.dtype) == 1) {
    const bool is_promoted = fast_accumulate == false;
    refuse_beyond(is_promoted ? sizes.of_a_promotion : sizes.all, quantum, fp8_limit - 1, "a sum of FP8 products");
  }
  refuse_beyond(sizes.all, quantum, float_limit, "a sum of products");
  const Extent scale = extent_of(scale_of(g));
  Extent all{sizes.all * scale.largest, quantum + scale.exponent};
  add_to(all, g.c, "c");
  add_to(all, g.bias, "bias");
  refuse_beyond(all.largest, all.exponent, float_limit, "an output");
}

bool is_exact(const RecordedGemm& recorded) { return is_exact(recorded.inputs, recorded.fast_accumulate); }

bool is_exact(const RecordedLayer& layer) {
  if (layer.rounds_every_sum) return false;
  for (const RecordedRank& rank : layer.ranks)
    for (const RecordedRank& source : layer.ranks)
      if ((layer.gathers() || &source == &rank) && !is_exact(layer, source, rank)) return false;
  return !layer.reduces() || products_add_exactly(layer);
}

}  // namespace lockstep
