#include "oracle/inputs/recorded_layer.h"

#include "oracle/inputs/recorded_reader.h"
#include "reference/contract/case.h"

#include <algorithm>

namespace lockstep {
namespace {

const Types layer_output_types{DType::f32, DType::bf16, DType::fp16};

std::string of_rank(Index rank, std::string_view tensor) { return fmt::format("rank{}.{}", rank, tensor); }

Problem read_problem(const RecordedReader& read) {
  constexpr Index most = Index{1} << 40;
  Problem problem;
  problem.tp = read.number("tp", 1, max_tp);
  problem.tokens = read.number("tokens", 1, most);
  problem.in = read.number("in_features", 1, most);
  problem.out = read.number("out_features", 1, most);
  return problem;
}

// No recorded kernel does anything else yet; a gemm may (recorded_gemm.h).
void expect_plain(const RecordedReader& read) {
  read.choice("alpha", {"1"});
  read.choice("beta", {"0"});
  read.choice("split_k", {"1"});
  read.choice("recipe", {"tensor"});
}

// A producer whose arithmetic was measured declares by its name what it does not say: by rank, FP8 promoted.
bool is_measured(const RecordedReader& read) {
  const std::string source = read.value("source", "");
  return source.starts_with("torch 2.11") && source.find("symm_mem") != source.npos;
}

void fill_in_what_was_measured(const RecordedReader& read, RecordedLayer& layer) {
  if (!is_measured(read)) return;
  if (layer.reduces() && !read.file.metadata.contains("reduction")) layer.reduction = plain_reduction;
  if (!read.file.metadata.contains("fast_accumulate")) layer.fast_accumulate = false;
}

std::optional<RecordedReduction> read_reduction(const RecordedReader& read, bool reduces) {
  const std::string text = read.value("reduction", "unknown");
  if (text == "unknown") return std::nullopt;
  if (!reduces) read.refuse_file("says how it reduces and is an all_gather_gemm, which reduces nothing");
  const auto reduction = reduction_named(text);
  if (!reduction)
    read.refuse_file("the metadata reduction={} is not among what can be judged: {}, unknown", in_quotes(text),
                     reduction_names());
  return reduction;
}

std::vector<std::string> names_of(Index tp) {
  std::vector<std::string> names;
  for (Index rank = 0; rank < tp; ++rank)
    for (const char* tensor : {"input", "weight", "output", "input_scale_inv", "weight_scale_inv"})
      names.push_back(of_rank(rank, tensor));
  return names;
}

RecordedRank read_rank(const RecordedReader& read, Index rank) {
  Tensor output = read.required(of_rank(rank, "output"), layer_output_types);
  GemmInputs inputs{.input = read.required(of_rank(rank, "input"), operand_types),
                    .weight = read.required(of_rank(rank, "weight"), operand_types),
                    .input_scale = read.tensor(of_rank(rank, "input_scale_inv"), scale_types),
                    .weight_scale = read.tensor(of_rank(rank, "weight_scale_inv"), scale_types),
                    .output = output.dtype};
  return {std::move(inputs), std::move(output)};
}

void check_rank(const RecordedReader& read, const RecordedLayer& layer, Index rank) {
  const auto& [inputs, output] = layer.ranks[static_cast<std::size_t>(rank)];
  const Problem& p = layer.problem;
  const bool gathers = layer.kernel == RecordedKernel::all_gather_gemm;
  const Index tokens_of = p.tokens_of(rank).size(), in_of = p.in_of(rank).size(),
              out_of = part(p.out, p.tp, rank).size();
  const auto name = [&](std::string_view tensor) { return of_rank(rank, tensor); };
  read.expect_operands(name("input"), inputs.input.dtype, name("weight"), inputs.weight.dtype,
                       inputs.input_scale || inputs.weight_scale, layer.fast_accumulate.value_or(false));
  read.expect_shape(name("input"), inputs.input, gathers ? tokens_of : p.tokens, gathers ? p.in : in_of);
  read.expect_shape(name("weight"), inputs.weight, gathers ? out_of : p.out, gathers ? p.in : in_of);
  read.expect_shape(name("output"), output, gathers ? p.tokens : tokens_of, gathers ? out_of : p.out);
  read.expect_shape(name("input_scale_inv"), inputs.input_scale, 1, 1);
  read.expect_shape(name("weight_scale_inv"), inputs.weight_scale, 1, 1);
}

// Scales on every rank, both of them, or on none: one that is missing is not taken for 1.
void check_scales(const RecordedReader& read, const RecordedLayer& layer) {
  const auto has = [](const RecordedRank& rank) { return rank.inputs.input_scale || rank.inputs.weight_scale; };
  if (std::ranges::none_of(layer.ranks, has)) return;
  for (Index rank = 0; rank < layer.problem.tp; ++rank)
    for (const char* scale : {"input_scale_inv", "weight_scale_inv"})
      if (!read.file.find(of_rank(rank, scale)))
        read.refuse_file("has no tensor {}: scales are there on every rank, of input and weight, or on none",
                         of_rank(rank, scale));
}

// One kernel, one set of formats.
void check_ranks_alike(const RecordedReader& read, const RecordedLayer& layer) {
  const RecordedRank& first = layer.ranks.front();
  for (Index rank = 1; rank < layer.problem.tp; ++rank) {
    const RecordedRank& other = layer.ranks[static_cast<std::size_t>(rank)];
    if (other.inputs.input.dtype != first.inputs.input.dtype ||
        other.inputs.weight.dtype != first.inputs.weight.dtype || other.output.dtype != first.output.dtype)
      read.refuse_file("rank{0}.input, .weight or .output has another format than rank 0's: all ranks have the same",
                       rank);
  }
}

}  // namespace

RecordedLayer recorded_layer(const Safetensors& file) {
  const RecordedReader read{file};
  const std::size_t kernel = read.expect_op({"all_gather_gemm", "gemm_reduce_scatter"});
  expect_plain(read);
  RecordedLayer layer{static_cast<RecordedKernel>(kernel), read_problem(read), read.accumulation()};
  layer.reduction = read_reduction(read, layer.reduces());
  fill_in_what_was_measured(read, layer);
  read.expect_names(
      names_of(layer.problem.tp),
      fmt::format("rank<r>.input, .weight, .output, .input_scale_inv and .weight_scale_inv, r from 0 to {}",
                  layer.problem.tp - 1));
  for (Index rank = 0; rank < layer.problem.tp; ++rank) {
    layer.ranks.push_back(read_rank(read, rank));
    check_rank(read, layer, rank);
  }
  check_scales(read, layer);
  check_ranks_alike(read, layer);
  if (!is_fp8(layer.ranks.front().inputs.input.dtype)) layer.fast_accumulate = false;
  return layer;
}

}  // namespace lockstep
