#include "oracle/inputs/recorded_kernel.h"

#include "oracle/inputs/recorded_ranks.h"

namespace lockstep {
namespace {

const Types layer_output_types{DType::f32, DType::bf16, DType::fp16};
const std::vector<std::string> scales{"input_scale_inv", "weight_scale_inv"};

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

std::vector<std::string> names_of(Index tp) {
  std::vector<std::string> names;
  for (Index rank = 0; rank < tp; ++rank)
    for (const char* tensor : {"input", "weight", "output", "input_scale_inv", "weight_scale_inv"})
      names.push_back(of_rank(rank, tensor));
  return names;
}

void check_shapes(const RecordedReader& read, const RecordedLayer& layer, Index rank) {
  const Problem& p = layer.problem;
  const bool gathers = layer.gathers();
  const Index tokens_of = p.tokens_of(rank).size(), in_of = p.in_of(rank).size(),
              out_of = part(p.out, p.tp, rank).size();
  read.expect_shape(of_rank(rank, "input"), gathers ? tokens_of : p.tokens, gathers ? p.in : in_of);
  read.expect_shape(of_rank(rank, "weight"), gathers ? out_of : p.out, gathers ? p.in : in_of);
  read.expect_shape(of_rank(rank, "output"), gathers ? p.tokens : tokens_of, gathers ? out_of : p.out);
  for (const std::string& scale : scales) read.expect_shape(of_rank(rank, scale), 1, 1);
}

std::optional<StoredMatrix> stored_scale(const RecordedReader& read, const std::string& name) {
  const StoredTensor* scale = read.find(name, scale_types);
  return scale ? std::optional(stored(read.file, {scale})) : std::nullopt;
}

StoredRank read_rank(const RecordedReader& read, const RecordedLayer& layer, Index rank) {
  const auto name = [&](std::string_view tensor) { return of_rank(rank, tensor); };
  const auto matrix = [&](std::string_view tensor, const Types& types) {
    return stored(read.file, {&read.found(name(tensor), types)});
  };
  const StoredMatrix output = matrix("output", layer_output_types);
  StoredRank of{matrix("input", operand_types), matrix("weight", operand_types), output,
                stored_scale(read, name("input_scale_inv")), stored_scale(read, name("weight_scale_inv"))};
  read.expect_operands(name("input"), of.input.dtype, name("weight"), of.weight.dtype,
                       of.input_scale || of.weight_scale, layer.fast_accumulate.value_or(false));
  check_shapes(read, layer, rank);
  return of;
}

RecordedLayer read_layer(const RecordedReader& read) {
  RecordedLayer layer;
  layer.kernel = static_cast<RecordedKernel>(read.expect_op({"all_gather_gemm", "gemm_reduce_scatter"}));
  expect_plain(read);
  layer.problem = read_problem(read);
  layer.fast_accumulate = read.accumulation();
  layer.reduction = read_reduction(read, layer.reduces(), "an all_gather_gemm");
  fill_in_what_was_measured(read, layer);
  return layer;
}

}  // namespace

StoredLayer stored_kernel(const Safetensors& file) {
  const RecordedReader read{file};
  StoredLayer kernel{read_layer(read), {}};
  const Index tp = kernel.layer.problem.tp;
  read.expect_names(
      names_of(tp),
      fmt::format("rank<r>.input, .weight, .output, .input_scale_inv and .weight_scale_inv, r from 0 to {}", tp - 1));
  for (Index rank = 0; rank < tp; ++rank) kernel.ranks.push_back(read_rank(read, kernel.layer, rank));
  expect_on_every_rank(read, tp, scales, "scales are there on every rank, of input and weight, or on none");
  expect_alike(read, tp, {"input", "weight", "output"});
  if (!is_fp8(kernel.ranks.front().input.dtype)) kernel.layer.fast_accumulate = false;
  return kernel;
}

}  // namespace lockstep
