#include "oracle/inputs/recorded_gemm.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/ceil_div.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lockstep {
namespace {

using Types = std::vector<DType>;

const Types operand_types{DType::bf16, DType::fp16, DType::e4m3, DType::e5m2};
const Types added_types{DType::f32, DType::bf16, DType::fp16};
const Types output_types{DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2};
const Types scale_types{DType::f32};

constexpr std::array<std::string_view, 9> known_tensors{
    "input", "weight", "output", "bias", "c", "input_scale_inv", "weight_scale_inv", "output_scale", "output_amax"};

bool is_fp8(DType type) { return bytes_of(type) == 1; }

std::string list(const Types& types) {
  std::string names;
  for (DType type : types) names += fmt::format("{}{}", names.empty() ? "" : ", ", safetensors_name(type));
  return names;
}

// Reads the tensors and metadata of one file; every refusal begins with its path.
struct Reader {
  const Safetensors& file;

  template <typename... Args>
  [[noreturn]] void refuse_file(fmt::format_string<Args...> sentence, Args&&... args) const {
    refuse("{}: {}", file.path, fmt::format(sentence, std::forward<Args>(args)...));
  }

  std::string value(const std::string& key, const std::string& if_absent) const {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? if_absent : found->second;
  }

  // One of `allowed`, which is its place in that list.
  std::size_t choice(const std::string& key, std::initializer_list<std::string_view> allowed) const {
    const std::string text = value(key, std::string(*allowed.begin()));
    const auto found = std::ranges::find(allowed, text);
    if (found == allowed.end())
      refuse_file("the metadata {}={} is not among what can be judged: {}", key, in_quotes(text),
                  fmt::join(allowed, ", "));
    return static_cast<std::size_t>(found - allowed.begin());
  }

  Index split_k() const {
    const std::string text = value("split_k", "1");
    Index splits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), splits);
    if (error != std::errc{} || end != text.data() + text.size() || splits < 1 || splits > 1024)
      refuse_file("the metadata split_k={} is not a whole number from 1 to 1024", in_quotes(text));
    return splits;
  }

  std::optional<Tensor> tensor(std::string_view name, const Types& types) const {
    const StoredTensor* stored = file.find(name);
    if (!stored) return std::nullopt;
    if (std::ranges::find(types, stored->dtype) == types.end())
      refuse_file("{} is {}; it may be {}", name, safetensors_name(stored->dtype), list(types));
    return load(file, *stored);
  }

  Tensor required(std::string_view name, const Types& types) const {
    std::optional<Tensor> found = tensor(name, types);
    if (!found) refuse_file("has no tensor {}: a recorded gemm has input, weight and output", name);
    return std::move(*found);
  }

  void expect_shape(std::string_view name, const std::optional<Tensor>& t, Index rows, Index cols) const {
    if (t && (t->rows != rows || t->cols != cols))
      refuse_file("{} is {} x {}; by the other shapes it is {} x {}", name, t->rows, t->cols, rows, cols);
  }
};

void check_op(const Reader& read) {
  const std::string op = read.value("op", "");
  if (op.empty()) read.refuse_file("its metadata has no op, so it is no recorded operation; check reads op=gemm");
  if (op != "gemm") read.refuse_file("op={} is not an operation that check reads; it reads op=gemm", in_quotes(op));
}

void check_names(const Reader& read) {
  for (const StoredTensor& tensor : read.file.tensors)
    if (std::ranges::find(known_tensors, tensor.name) == known_tensors.end())
      read.refuse_file("tensor {} is none of a recorded gemm: {}", in_quotes(tensor.name),
                       fmt::join(known_tensors, ", "));
}

void check_operands(const Reader& read, const GemmInputs& g) {
  const DType a = g.input.dtype, b = g.weight.dtype;
  if (a != b && !(is_fp8(a) && is_fp8(b)))
    read.refuse_file("input is {} and weight {}: they are alike, or both of one byte", safetensors_name(a),
                     safetensors_name(b));
  if (g.input.rows == 0 || g.input.cols == 0 || g.weight.rows == 0)
    read.refuse_file("M = {}, N = {}, K = {}: there is nothing to judge; each is at least 1", g.input.rows,
                     g.weight.rows, g.input.cols);
  if (!is_fp8(a) && (g.input_scale || g.weight_scale))
    read.refuse_file("has scales of {} operands: only those of one byte have scales", safetensors_name(a));
}

void check_shapes(const Reader& read, const RecordedGemm& r) {
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

void check_consistency(const Reader& read, const RecordedGemm& r) {
  const GemmInputs& g = r.inputs;
  if (g.c && g.beta == 0) read.refuse_file("has a c that beta=0 leaves out: drop c, or say beta=1");
  if (!g.c && g.beta != 0) read.refuse_file("says beta=1 and has no c: add c, or say beta=0");
  if (!is_fp8(g.input.dtype) && r.fast_accumulate)
    read.refuse_file("says fast_accumulate=1 of {} operands: only those of one byte have it",
                     safetensors_name(g.input.dtype));
  if (is_fp8(g.input.dtype) && !read.file.metadata.contains("fast_accumulate"))
    read.refuse_file("does not say fast_accumulate: operands of one byte say 0 or 1, for it changes the sum");
  if (g.scaling == Scaling::per_tensor) return;
  if (!g.input_scale || !g.weight_scale)
    read.refuse_file("says recipe={} without both scales", read.value("recipe", ""));
  if (r.fast_accumulate || g.split_k != 1)
    read.refuse_file("says recipe={} with fast_accumulate=1 or split_k above 1: that order is not known",
                     read.value("recipe", ""));
}

float output_scale(const Reader& read, DType output) {
  const std::optional<Tensor> scale = read.tensor("output_scale", scale_types);
  read.expect_shape("output_scale", scale, 1, 1);
  if (scale && !is_fp8(output))
    read.refuse_file("has an output_scale and an output of {}: only one of one byte is scaled",
                     safetensors_name(output));
  return scale ? value_at(*scale, 0, 0) : 1.0f;
}

GemmInputs read_inputs(const Reader& read, DType output) {
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
          .split_k = read.split_k()};
}

}  // namespace

RecordedGemm recorded_gemm(const Safetensors& file) {
  const Reader read{file};
  check_op(read);
  check_names(read);
  read.choice("alpha", {"1"});
  Tensor output = read.required("output", output_types);
  RecordedGemm recorded{.inputs = read_inputs(read, output.dtype),
                        .fast_accumulate = read.choice("fast_accumulate", {"0", "1"}) == 1,
                        .output = std::move(output),
                        .output_amax = read.tensor("output_amax", scale_types)};
  check_operands(read, recorded.inputs);
  check_consistency(read, recorded);
  check_shapes(read, recorded);
  return recorded;
}

RecordedGemm read_recorded_gemm(const std::string& path) { return recorded_gemm(read_safetensors(path)); }

}  // namespace lockstep
