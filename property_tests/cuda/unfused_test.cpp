// The unfused kernels on the device against the reference of the host in the declared order, every bit, on normal data;
// so too against the fused program on the device.
#include "reference/cuda/unfused.h"

#include "fused/cuda/execute.h"
#include "oracle/judges/prepared.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

class Unfused : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

RankInputs inputs_of(const Prepared& prepared) {
  const NamedTensors& named = prepared.inputs.front();
  const bool has_bias = prepared.a_case.first().bias != BiasPlacement::none;
  return {named.at("x"), named.at("w"), has_bias ? named.at("b") : std::vector<Tensor>{}};
}

std::vector<Tensor> unfused(const Prepared& prepared) {
  const Call& call = prepared.a_case.first();
  if (call.op == Kernel::ag_gemm) return all_gather_gemm_on_device(inputs_of(prepared));
  if (call.op == Kernel::gemm_ar) return gemm_all_reduce_on_device(inputs_of(prepared), call.wire);
  return gemm_reduce_scatter_on_device(inputs_of(prepared), call.wire);
}

TEST_F(Unfused, GivesWhatIsDeclaredAndWhatTheFusedProgramGives) {
  for (const char* op : {"gemm_rs method=pipeline", "gemm_ar", "ag_gemm"})
    for (const char* dtype : {"bf16", "fp16"})
      for (const char* bias : {"none", "per_rank"})
        for (const int tp : {1, 2, 3, 4}) {
          const Case a_case = parse_case(fmt::format(
              "op={} tp={} tokens=37 in={} out={} dtype={} wire={} bias={} data=normal arithmetic=hopper device=cuda",
              op, tp, 64 * tp, 48 * tp, dtype, dtype, bias));
          const Prepared prepared = prepare(a_case);
          const auto got = unfused(prepared);
          const Observed fused = observe(prepared, prepared.correct, a_case.first().executor);
          EXPECT_EQ(got, prepared.wanted.front().at("y")) << print(a_case);
          EXPECT_EQ(got, fused.outputs.front().at("y")) << print(a_case);
        }
}

}  // namespace
}  // namespace lockstep
