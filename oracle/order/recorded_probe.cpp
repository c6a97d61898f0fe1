#include "oracle/order/recorded_probe.h"

#include "oracle/inputs/recorded_reader.h"
#include "oracle/judges/recorded/memory.h"

namespace lockstep {
namespace {

const Types probe_types{DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2};

constexpr Index most_recorded_terms = 4096;

void expect_scale_of_one(const RecordedReader& read, std::string_view name) {
  const std::optional<Tensor> scale = read.tensor(name, scale_types);
  read.expect_shape(name, 1, 1);
  if (scale && !(value_at(*scale, 0, 0) == 1.0f))
    read.refuse_file("{} is {}; a probe is recorded with scales of 1", name, value_at(*scale, 0, 0));
}

void expect_counts_fit(const RecordedReader& read, const Probe& probe, DType output) {
  const Index n = std::ssize(probe.terms);
  for (Index count = 0; count <= n - 2; ++count) {
    const float value = static_cast<float>(count) * probe.unit();
    if (round_to(output, value) != value)
      read.refuse_file("an output of {} cannot hold the count {} of this probe, {}: record F32",
                       safetensors_name(output), count, value);
  }
}

}  // namespace

RecordedProbe read_recorded_probe(const std::string& path) {
  const Safetensors file = read_safetensors(path);
  const RecordedReader read{file};
  refuse_if_too_large(file);
  if (file.metadata.contains("op")) read.expect_op({"gemm"});
  read.expect_names({"input", "weight", "output", "input_scale_inv", "weight_scale_inv"},
                    "input, weight, output, input_scale_inv, weight_scale_inv");
  const Tensor input = read.required("input", probe_types), weight = read.required("weight", probe_types);
  const Tensor output = read.required("output", added_types);
  read.expect_operands("input", input.dtype, "weight", weight.dtype, false, false);
  for (std::string_view name : {"input_scale_inv", "weight_scale_inv"}) expect_scale_of_one(read, name);

  if (input.rows > most_recorded_terms)
    read.refuse_file("has {} rows: a probe that can be read has at most {}", input.rows, most_recorded_terms);

  RecordedProbe recorded{.probe = probe_in(input, weight)};
  if (file.metadata.contains("split_k")) recorded.split_k = read.number("split_k", 1, 1024);
  if (file.metadata.contains("fast_accumulate") && is_fp8(input.dtype))
    recorded.fast_accumulate = read.choice("fast_accumulate", {"0", "1"}) == 1;
  if (!recorded.probe) return recorded;
  read.expect_shape("output", input.rows, weight.rows);
  expect_counts_fit(read, *recorded.probe, output.dtype);
  recorded.reading = read_tree(decode(output), recorded.probe->unit());
  return recorded;
}

void write_probe(const std::string& path, const Probe& probe) {
  const std::vector<Index> shape{probe.input.rows, probe.k};
  write_safetensors(path, {{"op", "gemm"}}, {{"input", shape, probe.input}, {"weight", shape, probe.weight}});
}

bool declaration_fits(const RecordedProbe& recorded, const std::vector<Fit>& fits) {
  if (!recorded.split_k && !recorded.fast_accumulate) return true;
  for (const Fit& fit : fits) {
    const bool splits = !recorded.split_k || fit.split_k == *recorded.split_k;
    const bool fast = fit.model->accumulator.promote_every == 0;
    if (splits && (!recorded.fast_accumulate || fast == *recorded.fast_accumulate)) return true;
  }
  return false;
}

}  // namespace lockstep
