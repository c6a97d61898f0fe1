// The recorded GEMMs through the executor of plans on the device: every bit, and the amax.
#include "oracle/inputs/recorded_gemm.h"
#include "fused/cuda/execute.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace lockstep {
namespace {

struct OneGemm {
  Plan plan{.buffers = {}, .counters = {}, .lanes = {"main"}, .ranks = 1, .ops = {}};
  std::vector<Tensor> contents;  // of each buffer

  Region add(const Tensor& tensor) {
    plan.buffers.push_back(
        {fmt::format("b{}", plan.buffers.size()), BufferKind::state, tensor.dtype, {tensor.rows * tensor.cols}});
    contents.push_back(tensor);
    return {std::ssize(plan.buffers) - 1, 0, 0, tensor.rows, tensor.cols, tensor.cols};
  }
  std::optional<Region> add(const std::optional<Tensor>& tensor) {
    return tensor ? std::optional(add(*tensor)) : std::nullopt;
  }
};

Tensor scalar(float value) {
  Matrix one(1, 1);
  one(0, 0) = value;
  return encode(DType::f32, one);
}

// A plan has the scales of the input by row.
void add_scales(OneGemm& one, Gemm& gemm, const GemmInputs& in) {
  if (in.scaling == Scaling::per_tensor) {
    if (!in.input_scale && !in.weight_scale) return;
    gemm.a.scales = {.inverse = one.add(in.input_scale.value_or(scalar(1)))};
    gemm.b.scales = {.inverse = one.add(in.weight_scale.value_or(scalar(1)))};
    return;
  }
  const auto by_row = [](const Tensor& scale) { return encode(DType::f32, transposed(decode(scale))); };
  const bool squares = in.scaling == Scaling::by_1x128_128x128;
  gemm.a.scales = Scales{one.add(by_row(*in.input_scale)), ScaleGrid::rows, 128, 1};
  gemm.b.scales = Scales{one.add(squares ? *in.weight_scale : by_row(*in.weight_scale)),
                         squares ? ScaleGrid::squares : ScaleGrid::rows, 128, 1};
}

GemmResult through_a_plan(const RecordedGemm& recorded) {
  const GemmInputs& in = recorded.inputs;
  OneGemm one;
  Gemm gemm{{one.add(in.input)}, {one.add(in.weight)}, one.add(in.c), one.add(in.bias), {}};
  add_scales(one, gemm, in);
  gemm.d = one.add(poisoned(in.output, in.input.rows, in.weight.rows));
  if (bytes_of(in.output) == 1) gemm.scale_d = one.add(scalar(in.output_scale)), gemm.amax = one.add(scalar(0));
  one.plan.ops.push_back({gemm});
  const Program program{{one.plan}};
  Memory memory(program);
  for (std::size_t b = 0; b < one.contents.size(); ++b)
    memory.write(0, one.plan.buffers[b].name, 0, one.contents[b].bytes);
  execute_on_device(program, first_in_order(), memory, {.fast_accumulate = recorded.fast_accumulate.value()});
  const auto bytes = [&](const Region& region) {
    const auto all = memory.bytes(0, region.buffer, 0);
    return std::vector<std::byte>(all.begin(), all.end());
  };
  GemmResult result{{in.output, in.input.rows, in.weight.rows, bytes(gemm.d)}, 0};
  if (gemm.amax) std::memcpy(&result.amax, bytes(*gemm.amax).data(), sizeof result.amax);
  return result;
}

TEST(RecordedGemms, AreReproducedByTheExecutorOfPlans) {
  if (const std::string reason = why_no_device(); !reason.empty()) GTEST_SKIP() << reason;
  const char* folder = std::getenv("LOCKSTEP_RECORDED");  // more of them than the project holds
  Index files = 0, elements = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder ? folder : LOCKSTEP_TEST_DATA "/h200_gemm")) {
    const RecordedGemm recorded = read_recorded_gemm(entry.path());
    if (recorded.inputs.split_k > 1) continue;  // a plan's GEMM has none
    const GemmResult result = through_a_plan(recorded);
    EXPECT_EQ(result.output, recorded.output) << entry.path();
    if (recorded.output_amax) {
      EXPECT_EQ(result.amax, value_at(*recorded.output_amax, 0, 0)) << entry.path();
    }
    ++files, elements += recorded.output.rows * recorded.output.cols;
  }
  EXPECT_GT(files, 10);
  std::cout << files << " files, " << elements << " elements\n";
}

}  // namespace
}  // namespace lockstep
