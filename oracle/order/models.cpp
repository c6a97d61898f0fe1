#include "oracle/order/models.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/gemm.h"
#include "reference/numerics/split_k.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

constexpr Model models[] = {
    {"hopper_16bit", hopper_16bit, 16},
    {"hopper_fp8", hopper_fp8, 8},
    {"hopper_fp8_promoted", hopper_fp8_promoted, 8},
    {"ampere_16bit", ampere_16bit, 16},
    {"blackwell_16bit", blackwell_16bit, 16},
    {"blackwell_fp8", blackwell_fp8, 8},
    {"f32_in_order", f32_in_order, 0},
};

// Whether the tree says all: the masks swallow so many terms, or none (declared_tree.cpp).
bool is_standard(const Probe& probe) {
  const DType type = probe.input.dtype;
  const Index most = bytes_of(type) == 1 ? most_terms(type) : Index{1} << 14;
  return type == probe.weight.dtype && probe.input_masks == masks_for(type) &&
         probe.weight_masks == probe.input_masks && std::ssize(probe.terms) <= most;
}

void refuse_if_long(const Probe& probe) {
  constexpr double most = 0x1p27;
  const auto n = static_cast<double>(probe.terms.size());
  if (n * n * static_cast<double>(probe.k) > most)
    refuse(
        "the probe has other masks than {} and {}, so every model has to be run on it, and {} x {} x {} is too much "
        "for that: make it with lockstep order --make, or with less K",
        masks_for(probe.input.dtype).one, masks_for(probe.input.dtype).mask, n, n, probe.k);
}

Tensor first_rows(const Tensor& tensor, Index rows) {
  const auto end = tensor.bytes.begin() + bytes_of(tensor.dtype) * tensor.cols * rows;
  return {tensor.dtype, rows, tensor.cols, {tensor.bytes.begin(), end}};
}

bool gives_when_run(const Model& model, Index split_k, const Probe& probe, const Counts& counts, Index rows) {
  const Matrix sums = gemm_sums({.input = first_rows(probe.input, rows), .weight = probe.weight, .split_k = split_k},
                                model.accumulator);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < counts.cols; ++j)
      if (i != j && sums(i, j) != static_cast<float>(counts(i, j)) * probe.unit()) return false;
  return true;
}

bool gives(const Model& model, Index split_k, const Probe& probe, const Counts& counts) {
  if (!is_standard(probe))  // most models are done after the first row
    return gives_when_run(model, split_k, probe, counts, 1) &&
           gives_when_run(model, split_k, probe, counts, counts.rows);
  return counts_of(declared_tree(model.accumulator, split_k, probe.input.dtype, probe.k, probe.terms)) == counts;
}

// Where the splits that are not empty end.
std::vector<Index> cuts(const Probe& probe, Index split_k) {
  std::vector<Index> ends;
  for (const Range& range : split_k_ranges(probe.k, split_k, split_k_tile(probe.input.dtype)))
    if (!range.empty()) ends.push_back(range.end);
  return ends;
}

// Of one model, the split-K that it fits with: "hopper_16bit with split-K 2 to 12".
std::string words_for(std::string_view name, const std::set<Index>& splits) {
  const Index least = *splits.begin(), most = *splits.rbegin();
  if (least == most) return fmt::format("{} with split-K {}", name, least);
  if (most - least + 1 == std::ssize(splits)) return fmt::format("{} with split-K {} to {}", name, least, most);
  return fmt::format("{} with split-K {}", name, fmt::join(splits, ", "));
}

}  // namespace

std::span<const Model> known_models() { return models; }

const Model& model_named(std::string_view name) {
  const auto found = std::ranges::find(models, name, &Model::name);
  if (found != std::end(models)) return *found;
  std::vector<std::string_view> names;
  for (const Model& model : models) names.push_back(model.name);
  refuse("there is no model of that name; known are {}", fmt::join(names, ", "));
}

bool takes(const Model& model, DType type) {
  return type != DType::e8m0 && (model.operand_bits == 0 || model.operand_bits == format(type).bits);
}

std::vector<Fit> which_models(const Probe& probe, const Counts& counts, std::optional<Index> also) {
  if (counts.rows != std::ssize(probe.terms)) return {};
  if (!is_standard(probe)) refuse_if_long(probe);
  std::set<Index> splits;
  for (Index split_k = 1; split_k <= max_known_split_k; ++split_k) splits.insert(split_k);
  if (also) splits.insert(*also);
  std::vector<Fit> fits;
  for (const Model& model : models) {
    if (!takes(model, probe.input.dtype)) continue;
    std::map<std::vector<Index>, bool> known;  // splits that cut K alike are one
    for (Index split_k : splits) {
      const auto [at, is_new] = known.try_emplace(cuts(probe, split_k), false);
      if (is_new) at->second = gives(model, split_k, probe, counts);
      if (at->second) fits.push_back({&model, split_k});
    }
  }
  return fits;
}

std::string print(const std::vector<Fit>& fits) {
  std::vector<std::string> words;
  for (const Model& model : models) {
    std::set<Index> splits;
    for (const Fit& fit : fits)
      if (fit.model == &model) splits.insert(fit.split_k);
    if (!splits.empty()) words.push_back(words_for(model.name, splits));
  }
  return words.empty() ? "none of the models known" : fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace lockstep
