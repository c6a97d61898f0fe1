#include "oracle/inputs/recorded_gemm.h"

#include "oracle/inputs/recorded_reader.h"
#include "reference/numerics/ceil_div.h"

namespace lockstep {
namespace {

const std::vector<std::string> known_tensors{"input",           "weight",           "output",       "bias",       "c",
                                             "input_scale_inv", "weight_scale_inv", "output_scale", "output_amax"};

void check_operands(const RecordedReader& read, const StoredGemm& g, bool fast_accumulate) {
  read.expect_operands("input", g.input, "weight", g.weight,
                       read.file.find("input_scale_inv") || read.file.find("weight_scale_inv"), fast_accumulate);
  if (g.m == 0 || g.k == 0 || g.n == 0)
    read.refuse_file("M = {}, N = {}, K = {}: there is nothing to judge; each is at least 1", g.m, g.n, g.k);
}

Scaling scaling(const RecordedReader& read) {
  return static_cast<Scaling>(read.choice("recipe", {"tensor", "block128", "block128_1d"}));
}

void check_shapes(const RecordedReader& read, const StoredGemm& g) {
  const Index k_blocks = ceil_div(g.k, scale_block), n_blocks = ceil_div(g.n, scale_block);
  const bool by_block = scaling(read) != Scaling::per_tensor, both_1d = scaling(read) == Scaling::by_1x128_1x128;
  read.expect_shape("weight", g.n, g.k);
  read.expect_shape("output", g.m, g.n);
  read.expect_shape("bias", 1, g.n);
  read.expect_shape("c", g.m, g.n);
  read.expect_shape("output_amax", 1, 1);
  read.expect_shape("output_scale", 1, 1);
  read.expect_shape("input_scale_inv", by_block ? k_blocks : 1, by_block ? g.m : 1);
  read.expect_shape("weight_scale_inv",
                    both_1d    ? k_blocks
                    : by_block ? n_blocks
                               : 1,
                    both_1d    ? g.n
                    : by_block ? k_blocks
                               : 1);
}

void check_scaling(const RecordedReader& read, bool fast_accumulate) {
  if (scaling(read) == Scaling::per_tensor) return;
  const std::string recipe = read.value("recipe", "");
  if (!read.file.find("input_scale_inv") || !read.file.find("weight_scale_inv"))
    read.refuse_file("says recipe={} without both scales", recipe);
  const std::string split_k = read.value("split_k", "1");
  if (fast_accumulate || (split_k != "1" && split_k != "unknown"))
    read.refuse_file("says recipe={} with fast_accumulate=1 or split_k above 1: that order is not known", recipe);
}

void check_consistency(const RecordedReader& read, const StoredGemm& g, bool fast_accumulate) {
  const bool has_c = read.file.find("c"), has_beta = read.choice("beta", {"0", "1"}) == 1;
  if (has_c && !has_beta) read.refuse_file("has a c that beta=0 leaves out: drop c, or say beta=1");
  if (!has_c && has_beta) read.refuse_file("says beta=1 and has no c: add c, or say beta=0");
  if (is_fp8(g.input) && !read.file.metadata.contains("fast_accumulate"))
    read.refuse_file("does not say fast_accumulate: operands of one byte say 0 or 1, for it changes the sum");
  check_scaling(read, fast_accumulate);
  if (read.file.find("output_scale") && !is_fp8(g.output))
    read.refuse_file("has an output_scale and an output of {}: only one of one byte is scaled",
                     safetensors_name(g.output));
}

void check_types(const RecordedReader& read) {
  for (const char* name : {"bias", "c"}) read.find(name, added_types);
  for (const char* name : {"input_scale_inv", "weight_scale_inv", "output_scale", "output_amax"})
    read.find(name, scale_types);
}

bool is_unknown(const RecordedReader& read, const std::string& key) { return read.value(key, "") == "unknown"; }

std::optional<bool> accumulation(const RecordedReader& read) {
  return read.file.metadata.contains("fast_accumulate") ? read.accumulation() : false;
}

// All rows, or all columns, of a tensor.
constexpr Range all{0, -1};

std::optional<Tensor> part_of(const RecordedReader& read, std::string_view name, const Range& rows, const Range& cols) {
  const StoredTensor* stored = read.file.find(name);
  if (!stored) return std::nullopt;
  return load(read.file, *stored, rows == all ? Range{0, stored->rows()} : rows,
              cols == all ? Range{0, stored->cols()} : cols);
}

Range in_blocks(const Range& range) { return {range.begin / scale_block, ceil_div(range.end, scale_block)}; }

GemmInputs load_inputs(const RecordedReader& read, const StoredGemm& g, const Piece& piece) {
  const Scaling by = scaling(read);
  const bool in_one = by == Scaling::per_tensor, squares = by == Scaling::by_1x128_128x128;
  const auto output_scale = part_of(read, "output_scale", all, all);
  return {.input = *part_of(read, "input", piece.rows, all),
          .weight = *part_of(read, "weight", piece.cols, all),
          .scaling = by,
          .input_scale = part_of(read, "input_scale_inv", all, in_one ? all : piece.rows),
          .weight_scale = part_of(read, "weight_scale_inv", squares ? in_blocks(piece.cols) : all,
                                  in_one || squares ? all : piece.cols),
          .c = part_of(read, "c", piece.rows, piece.cols),
          .beta = static_cast<float>(read.choice("beta", {"0", "1"})),
          .bias = part_of(read, "bias", all, piece.cols),
          .output_scale = output_scale ? value_at(*output_scale, 0, 0) : 1.0f,
          .output = g.output,
          .split_k = is_unknown(read, "split_k") ? 1 : read.number("split_k", 1, 1024, 1)};
}

}  // namespace

StoredGemm stored_gemm(const Safetensors& file) {
  const RecordedReader read{file};
  read.expect_op({"gemm"});
  read.expect_names(known_tensors, fmt::format("{}", fmt::join(known_tensors, ", ")));
  read.choice("alpha", {"1"});
  const StoredTensor &output = read.found("output", output_types), &input = read.found("input", operand_types),
                     &weight = read.found("weight", operand_types);
  const bool is_declared = accumulation(read) && !is_unknown(read, "split_k");
  const StoredGemm g{&file,       input.rows(), weight.rows(), input.cols(),
                     input.dtype, weight.dtype, output.dtype,  is_declared};
  const bool fast_accumulate = accumulation(read).value_or(false);
  if (!is_unknown(read, "split_k")) read.number("split_k", 1, 1024, 1);
  check_types(read);
  check_operands(read, g, fast_accumulate);
  check_consistency(read, g, fast_accumulate);
  check_shapes(read, g);
  return g;
}

RecordedGemm load(const StoredGemm& g, const Piece& piece) {
  const RecordedReader read{*g.file};
  return {.inputs = load_inputs(read, g, piece),
          .fast_accumulate = accumulation(read),
          .knows_split_k = !is_unknown(read, "split_k"),
          .output = *part_of(read, "output", piece.rows, piece.cols),
          .piece = PieceOf{"output", 0, piece.rows.begin, piece.cols.begin}};
}

RecordedGemm recorded_gemm(const Safetensors& file) {
  const StoredGemm g = stored_gemm(file);
  RecordedGemm recorded = load(g, {0, {0, g.m}, {0, g.n}});
  recorded.output_amax = RecordedReader{file}.tensor("output_amax", scale_types);
  recorded.piece.reset();
  return recorded;
}

RecordedGemm read_recorded_gemm(const std::string& path) { return recorded_gemm(read_safetensors(path)); }

}  // namespace lockstep
