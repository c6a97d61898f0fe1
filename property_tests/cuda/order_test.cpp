// The order in which cuBLASLt sums on the device, revealed by the probe, is the one that the model declares.
#include "oracle/order/models.h"
#include "oracle/order/print.h"
#include "reference/cuda/gemm.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

struct Kernel {
  std::string_view model;
  DType type;
  bool fast_accumulate;
};

void PrintTo(const Kernel& kernel, std::ostream* stream) { *stream << kernel.model << " " << name(kernel.type); }

class DeviceOrder : public testing::TestWithParam<Kernel> {
 protected:
  void SetUp() override {
    if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

void expect_declared(const Kernel& kernel, const Probe& probe, Index split_k, const Tensor& output) {
  const TreeReading reading = read_tree(decode(output), probe.unit());
  const SumTree declared =
      declared_tree(model_named(kernel.model).accumulator, split_k, kernel.type, probe.k, probe.terms);
  const std::string found = reading.finding.empty() ? print(reading.tree, probe.terms) : reading.finding;
  EXPECT_TRUE(reading.finding.empty() && reading.counts == counts_of(declared))
      << "K " << probe.k << " split-K " << split_k << ": " << found << " instead of " << print(declared, probe.terms);
  std::cout << "K " << probe.k << ", split-K " << split_k << ": " << found << "\n";
}

// K in whole steps of 16 bytes, as algorithm 66 wants them. Where the library will not split, that is said.
TEST_P(DeviceOrder, IsTheDeclaredOne) {
  for (Index k : {96, 128, 256, 320, 512, 1024, 4096})
    for (Index split_k : {1, 2, 3}) {
      const Probe probe = make_probe(GetParam().type, k);
      const GemmInputs inputs{.input = probe.input, .weight = probe.weight, .split_k = split_k};
      try {
        expect_declared(GetParam(), probe, split_k, gemm_on_device(inputs, GetParam().fast_accumulate).output);
      } catch (const DeviceError& error) {
        EXPECT_GT(split_k, 1) << error.what();
        std::cout << "K " << k << ", split-K " << split_k << ": " << error.what() << "\n";
      }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Cublas, DeviceOrder,
    testing::Values(Kernel{"hopper_16bit", DType::bf16, false}, Kernel{"hopper_16bit", DType::fp16, false},
                    Kernel{"hopper_fp8", DType::e4m3, true}, Kernel{"hopper_fp8_promoted", DType::e4m3, false}),
    [](const auto& kernel) { return std::string(kernel.param.model) + "_" + std::string(name(kernel.param.type)); });

}  // namespace
}  // namespace lockstep
