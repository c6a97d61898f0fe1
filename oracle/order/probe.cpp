#include "oracle/order/probe.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/ceil_div.h"

#include <cmath>

namespace lockstep {
namespace {

Tensor operand(DType type, Index k, const std::vector<Range>& terms, float one, float mask) {
  const Index n = std::ssize(terms);
  Matrix values(n, k);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) values(i, terms[static_cast<std::size_t>(j)].begin) = i == j ? mask : one;
  return encode(type, values);
}

Probe probe_of(DType input, Masks in, DType weight, Masks w, Index k, const std::vector<Range>& terms) {
  return {operand(input, k, terms, in.one, in.mask), operand(weight, k, terms, w.one, -w.mask), k, terms, in, w};
}

std::vector<Range> terms_from(const std::vector<Index>& begins, Index k) {
  std::vector<Range> terms;
  for (std::size_t i = 0; i < begins.size(); ++i)
    terms.push_back({begins[i], i + 1 < begins.size() ? begins[i + 1] : k});
  return terms;
}

// Of the first two rows, whatever the operand is.
Masks masks_in(const Tensor& operand, const std::vector<Range>& terms) {
  return {value_at(operand, 1, terms[0].begin), std::abs(value_at(operand, 0, terms[0].begin))};
}

}  // namespace

Masks masks_for(DType type) {
  switch (type) {
    case DType::f32:
    case DType::bf16:
      return {1, 0x1p60f};
    case DType::fp16:
      return {0x1p-24f, 0x1p15f};
    case DType::e5m2:
      return {0x1p-16f, 0x1p15f};
    case DType::e4m3:
      return {0x1p-9f, 0x1p8f};
    case DType::e8m0:
      break;
  }
  refuse("e8m0 is a format of scales, not of operands: a probe is of f32, bf16, fp16, e4m3 or e5m2");
}

Index most_terms(DType type) { return type == DType::e5m2 ? 64 : type == DType::e4m3 ? 128 : 512; }

Index stride_for(Index k, Index most) {
  Index stride = 1;
  while (ceil_div(k, stride) > most) stride *= 2;
  return stride;
}

std::vector<Range> terms_of(Index k, Index stride) {
  std::vector<Range> terms;
  for (Index begin = 0; begin < k; begin += stride) terms.push_back({begin, std::min(begin + stride, k)});
  return terms;
}

Probe make_probe(DType type, Index k) { return make_probe(type, k, masks_for(type), stride_for(k, most_terms(type))); }

Probe make_probe(DType type, Index k, const Masks& masks, Index stride) {
  if (k < 2 || k > max_probe_k) refuse("K = {}: a sum whose order can show has 2 to {} terms", k, max_probe_k);
  return probe_of(type, masks, type, masks, k, terms_of(k, stride));
}

std::optional<Probe> probe_in(const Tensor& input, const Tensor& weight) {
  if (input.cols != weight.cols || input.rows != weight.rows || input.rows < 2) return {};
  std::vector<Index> begins;
  for (Index k = 0; k < input.cols; ++k)
    if (value_at(input, 0, k) != 0) begins.push_back(k);
  if (std::ssize(begins) != input.rows) return {};
  const auto terms = terms_from(begins, input.cols);
  const Masks in = masks_in(input, terms), w = masks_in(weight, terms);
  const bool usable = in.one > 0 && w.one > 0 && in.mask > in.one && in.mask * w.one == in.one * w.mask;
  if (!usable) return {};
  Probe probe = probe_of(input.dtype, in, weight.dtype, w, input.cols, terms);
  return probe.input == input && probe.weight == weight ? std::optional(std::move(probe)) : std::nullopt;
}

}  // namespace lockstep
