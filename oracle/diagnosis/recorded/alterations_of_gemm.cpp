#include "oracle/diagnosis/recorded/alter.h"
#include "oracle/diagnosis/recorded/alterations.h"
#include "oracle/faults/words.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

using Alterations = std::vector<Alteration<RecordedGemm>>;
using Optional = std::optional<Tensor> GemmInputs::*;

void add_optional(Alterations& all, const RecordedGemm& recorded, const char* name, Optional tensor) {
  if (!(recorded.inputs.*tensor)) return;
  const auto times = [tensor](float factor) { return [=](RecordedGemm& r) { multiply(r.inputs.*tensor, factor); }; };
  all.push_back({fmt::format("{} added twice", name), 1, times(2)});
  all.push_back({fmt::format("{} missing", name), 1, times(0)});
}

// All ones, of its shape.
void forget(std::optional<Tensor>& scale) {
  Matrix ones(scale->rows, scale->cols);
  std::fill(ones.values.begin(), ones.values.end(), 1.0f);
  scale = encode(DType::f32, ones);
}

void square(std::optional<Tensor>& scale) {
  Matrix twice = decode(*scale);
  for (float& value : twice.values) value *= value;
  scale = encode(DType::f32, twice);
}

void add_scale(Alterations& all, const RecordedGemm& recorded, const char* name, Optional scale) {
  if (!(recorded.inputs.*scale)) return;
  all.push_back({fmt::format("not scaled by {}", name), 1, [=](RecordedGemm& r) { forget(r.inputs.*scale); }});
  all.push_back({fmt::format("scaled by {} twice", name), 2, [=](RecordedGemm& r) { square(r.inputs.*scale); }});
}

void add_output_scale(Alterations& all, const RecordedGemm& recorded) {
  if (recorded.inputs.output_scale == 1) return;
  all.push_back({"not scaled by output_scale", 1, [](RecordedGemm& r) { r.inputs.output_scale = 1; }});
  all.push_back(
      {"divided by output_scale", 2, [](RecordedGemm& r) { r.inputs.output_scale = 1 / r.inputs.output_scale; }});
}

void add_parts_of_k(Alterations& all, const RecordedGemm& recorded) {
  const Index k = recorded.inputs.input.cols;
  for (const Index parts : {2, 4, 8})
    for (const Range& range : partition(k, parts))
      if (!range.empty() && range.size() < k)
        all.push_back({fmt::format("the sum without {}", words_for("column", range) + " of K"), 3,
                       [=](RecordedGemm& r) { leave_out(r.inputs, range); }});
}

}  // namespace

std::vector<Alteration<RecordedGemm>> alterations(const RecordedGemm& recorded) {
  Alterations all;
  add_optional(all, recorded, "the bias", &GemmInputs::bias);
  add_optional(all, recorded, "c", &GemmInputs::c);
  add_scale(all, recorded, "input_scale_inv", &GemmInputs::input_scale);
  add_scale(all, recorded, "weight_scale_inv", &GemmInputs::weight_scale);
  add_output_scale(all, recorded);
  add_parts_of_k(all, recorded);
  return all;
}

}  // namespace lockstep
