#include "oracle/inputs/recorded_linear.h"

#include "oracle/inputs/linear_kernels.h"

#include <algorithm>

namespace lockstep {
namespace {

const Types linear_types{DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2};
const std::vector<std::string> inputs{"x", "w", "b", "dy"}, scales{"x_scale_inv", "w_scale_inv", "dy_scale_inv"},
    outputs{"y", "dx", "dw", "db"};

void expect_each_on_every_rank(const Linear& linear, const std::vector<std::string>& tensors) {
  for (const std::string& tensor : tensors)
    expect_on_every_rank(linear.read, linear.problem.tp, {tensor},
                         fmt::format("{} is there on every rank or on none", tensor));
}

void expect_known_names(const Linear& linear) {
  std::vector<std::string> names;
  for (Index rank = 0; rank < linear.problem.tp; ++rank)
    for (const auto* tensors : {&inputs, &scales, &outputs})
      for (const std::string& tensor : *tensors) names.push_back(of_rank(rank, tensor));
  linear.read.expect_names(
      names, fmt::format("rank<r>.x, .w, .b, .dy, .y, .dx, .dw, .db, .x_scale_inv, .w_scale_inv and .dy_scale_inv, r "
                         "from 0 to {}",
                         linear.problem.tp - 1));
}

void expect_shapes(const Linear& linear) {
  Problem p = linear.problem;
  p.bias = BiasPlacement::per_rank;
  for (Index rank = 0; rank < p.tp; ++rank) {
    const auto expect = [&](std::initializer_list<const char*> tensors, const Shape& shape) {
      for (const char* tensor : tensors) linear.read.expect_shape(of_rank(rank, tensor), shape.rows, shape.cols);
    };
    expect({"x", "dx"}, p.x_of(rank));
    expect({"w", "dw"}, p.w_of(rank));
    expect({"b", "db"}, p.b_of(rank));
    expect({"y", "dy"}, p.y_of(rank));
    expect({"x_scale_inv", "w_scale_inv", "dy_scale_inv"}, {1, 1});
  }
}

void expect_types(const Linear& linear) {
  const RecordedReader& read = linear.read;
  for (Index rank = 0; rank < linear.problem.tp; ++rank) {
    for (const char* tensor : {"x", "w", "dy"}) read.find(of_rank(rank, tensor), linear_types);
    for (const char* tensor : {"b", "y", "dx", "dw", "db"}) read.find(of_rank(rank, tensor), added_types);
    for (const std::string& scale : scales) read.find(of_rank(rank, scale), scale_types);
  }
  expect_alike(read, linear.problem.tp, {"x", "w", "b", "dy", "y", "dx", "dw", "db"});
  for (const auto& [a, b] : {std::pair("x", "w"), std::pair("dy", "w"), std::pair("dy", "x")})
    if (linear.has(a) && linear.has(b))
      read.expect_operands(of_rank(0, a), linear.matrix(0, a).dtype, of_rank(0, b), linear.matrix(0, b).dtype,
                           linear.has(std::string(a) + "_scale_inv") || linear.has(std::string(b) + "_scale_inv"),
                           linear.said.fast_accumulate.value_or(false));
}

// Of F8 each has its scale; what is gathered is one matrix to a GEMM over all tokens, so it has one.
void expect_scales(const Linear& linear) {
  const RecordedReader& read = linear.read;
  for (const char* tensor : {"x", "w", "dy"})
    if (linear.has(tensor) && is_fp8(linear.matrix(0, tensor).dtype))
      read.found(of_rank(0, std::string(tensor) + "_scale_inv"), scale_types, "what is of F8 has a scale");
  const std::string shared = linear.is_row ? "dy_scale_inv" : "x_scale_inv";
  if (!linear.has(shared)) return;
  for (Index rank = 1; rank < linear.problem.tp; ++rank)
    if (!(linear.matrix(rank, shared).load() == linear.matrix(0, shared).load()))
      read.refuse_file("{} is not that of rank 0: what the ranks gather has one scale over all of them",
                       of_rank(rank, shared));
}

void expect_sources(const Linear& linear) {
  const auto expect = [&](const char* output, std::initializer_list<const char*> sources) {
    for (const char* source : sources)
      if (linear.has(output) && !linear.has(source))
        linear.read.refuse_file("has {} and no {}: it is judged from {}", of_rank(0, output), of_rank(0, source),
                                fmt::join(sources, " and "));
  };
  expect("y", {"x", "w"});
  expect("dx", {"dy", "w"});
  expect("dw", {"dy", "x"});
  expect("db", {"dy"});
  if (linear.has("db") && is_fp8(linear.matrix(0, "dy").dtype))
    linear.read.refuse_file("has db and a dy of F8: it is the sum of what dy was before it was quantised");
  if (std::ranges::none_of(outputs, [&](const std::string& output) { return linear.has(output); }))
    linear.read.refuse_file("has nothing to judge: give y, dx, dw or db on every rank");
}

Linear read_linear(const Safetensors& file) {
  Linear linear{{file}, {}, true, false, {}};
  const RecordedReader& read = linear.read;
  linear.is_row = read.expect_op({"row_linear", "column_linear"}) == 0;
  expect_plain(read);
  linear.problem = read_problem(read);
  linear.problem.mode = linear.is_row ? ParallelMode::row : ParallelMode::column;
  linear.adds_bias_late = read.choice("bias", {"per_rank", "after"}) == 1;
  read.choice("db_sum", {"float", "rounded"});
  linear.said.fast_accumulate = read.accumulation();
  linear.said.is_hopper = read.choice("arithmetic", {"unknown", "hopper"}) == 1;
  linear.said.reduction = read_reduction(read, true, "");
  expect_known_names(linear);
  for (const auto* tensors : {&inputs, &scales, &outputs}) expect_each_on_every_rank(linear, *tensors);
  expect_types(linear);
  expect_shapes(linear);
  expect_scales(linear);
  expect_sources(linear);
  return linear;
}

}  // namespace

std::vector<StoredLayer> stored_linear(const Safetensors& file) {
  const Linear linear = read_linear(file);
  std::vector<StoredLayer> all;
  if (linear.has("y")) all.push_back(forward(linear));
  if (linear.has("dx")) all.push_back(input_gradient(linear));
  if (linear.has("dw")) all.push_back(weight_gradient(linear));
  if (linear.has("db")) all.push_back(bias_gradient(linear));
  return all;
}

}  // namespace lockstep
