#include "oracle/inputs/recorded_gemm.h"

#include "oracle/inputs/recorded_reader.h"
#include "reference/numerics/ceil_div.h"

namespace lockstep {
namespace {

const std::vector<std::string> known_tensors{"input",           "weight",           "output",       "bias",       "c",
                                             "input_scale_inv", "weight_scale_inv", "output_scale", "output_amax"};

void check_operands(const RecordedReader& read, const GemmInputs& g, bool fast_accumulate) {
  read.expect_operands("input", g.input.dtype, "weight", g.weight.dtype, g.input_scale || g.weight_scale,
                       fast_accumulate);
  if (g.input.rows == 0 || g.input.cols == 0 || g.weight.rows == 0)
    read.refuse_file("M = {}, N = {}, K = {}: there is nothing to judge; each is at least 1", g.input.rows,
                     g.weight.rows, g.input.cols);
}

void check_shapes(const RecordedReader& read, const RecordedGemm& r) {
  const GemmInputs& g = r.inputs;
  const Index m = g.input.rows, n = g.weight.rows, k = g.input.cols;
  const Index k_blocks = ceil_div(k, scale_block), n_blocks = ceil_div(n, scale_block);
  const bool by_block = g.scaling != Scaling::per_tensor, both_1d = g.scaling == Scaling::by_1x128_1x128;
  read.expect_shape("weight", g.weight, n, k);
  read.expect_shape("output", r.output, m, n);
  read.expect_shape("bias", g.bias, 1, n);
  read.expect_shape("c", g.c, m, n);
  read.expect_shape("output_amax", r.output_amax, 1, 1);
  read.expect_shape("input_scale_inv", g.input_scale, by_block ? k_blocks : 1, by_block ? m : 1);
  read.expect_shape("weight_scale_inv", g.weight_scale,
                    both_1d    ? k_blocks
                    : by_block ? n_blocks
                               : 1,
                    both_1d    ? n
                    : by_block ? k_blocks
                               : 1);
}

void check_consistency(const RecordedReader& read, const RecordedGemm& r) {
  const GemmInputs& g = r.inputs;
  if (g.c && g.beta == 0) read.refuse_file("has a c that beta=0 leaves out: drop c, or say beta=1");
  if (!g.c && g.beta != 0) read.refuse_file("says beta=1 and has no c: add c, or say beta=0");
  if (is_fp8(g.input.dtype) && !read.file.metadata.contains("fast_accumulate"))
    read.refuse_file("does not say fast_accumulate: operands of one byte say 0 or 1, for it changes the sum");
  if (g.scaling == Scaling::per_tensor) return;
  if (!g.input_scale || !g.weight_scale)
    read.refuse_file("says recipe={} without both scales", read.value("recipe", ""));
  if (r.fast_accumulate.value_or(false) || g.split_k != 1)
    read.refuse_file("says recipe={} with fast_accumulate=1 or split_k above 1: that order is not known",
                     read.value("recipe", ""));
}

bool is_unknown(const RecordedReader& read, const std::string& key) { return read.value(key, "") == "unknown"; }

std::optional<bool> accumulation(const RecordedReader& read) {
  return read.file.metadata.contains("fast_accumulate") ? read.accumulation() : false;
}

float output_scale(const RecordedReader& read, DType output) {
  const std::optional<Tensor> scale = read.tensor("output_scale", scale_types);
  read.expect_shape("output_scale", scale, 1, 1);
  if (scale && !is_fp8(output))
    read.refuse_file("has an output_scale and an output of {}: only one of one byte is scaled",
                     safetensors_name(output));
  return scale ? value_at(*scale, 0, 0) : 1.0f;
}

GemmInputs read_inputs(const RecordedReader& read, DType output) {
  return {.input = read.required("input", operand_types),
          .weight = read.required("weight", operand_types),
          .scaling = static_cast<Scaling>(read.choice("recipe", {"tensor", "block128", "block128_1d"})),
          .input_scale = read.tensor("input_scale_inv", scale_types),
          .weight_scale = read.tensor("weight_scale_inv", scale_types),
          .c = read.tensor("c", added_types),
          .beta = static_cast<float>(read.choice("beta", {"0", "1"})),
          .bias = read.tensor("bias", added_types),
          .output_scale = output_scale(read, output),
          .output = output,
          .split_k = is_unknown(read, "split_k") ? 1 : read.number("split_k", 1, 1024, 1)};
}

}  // namespace

RecordedGemm recorded_gemm(const Safetensors& file) {
  const RecordedReader read{file};
  read.expect_op({"gemm"});
  read.expect_names(known_tensors, fmt::format("{}", fmt::join(known_tensors, ", ")));
  read.choice("alpha", {"1"});
  Tensor output = read.required("output", output_types);
  RecordedGemm recorded{.inputs = read_inputs(read, output.dtype),
                        .fast_accumulate = accumulation(read),
                        .knows_split_k = !is_unknown(read, "split_k"),
                        .output = std::move(output),
                        .output_amax = read.tensor("output_amax", scale_types)};
  check_operands(read, recorded.inputs, recorded.fast_accumulate.value_or(false));
  check_consistency(read, recorded);
  check_shapes(read, recorded);
  return recorded;
}

RecordedGemm read_recorded_gemm(const std::string& path) { return recorded_gemm(read_safetensors(path)); }

}  // namespace lockstep
