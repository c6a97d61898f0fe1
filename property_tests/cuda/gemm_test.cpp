// The device's GEMM, the model of it, and recorded outputs, held against each other bit for bit.
#include "reference/cuda/gemm.h"

#include "oracle/inputs/inputs.h"
#include "oracle/inputs/random.h"
#include "oracle/judges/recorded/declared_gemm.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

namespace lockstep {
namespace {

class Device : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

std::vector<std::string> recorded_files() {
  std::vector<std::string> files;
  const char* folder = std::getenv("LOCKSTEP_RECORDED");  // more of them than the project holds
  for (const auto& entry : std::filesystem::directory_iterator(folder ? folder : LOCKSTEP_TEST_DATA "/h200_gemm"))
    files.push_back(entry.path());
  return files;
}

TEST_F(Device, ReproducesRecordedGemms) {
  ASSERT_FALSE(recorded_files().empty());
  for (const std::string& file : recorded_files()) {
    const RecordedGemm recorded = read_recorded_gemm(file);
    const GemmResult result = gemm_on_device(recorded.inputs, recorded.fast_accumulate.value());
    EXPECT_EQ(result.output, recorded.output) << file;
    const float amax = recorded.output_amax ? value_at(*recorded.output_amax, 0, 0) : result.amax;
    EXPECT_EQ(result.amax, amax) << file;
    std::cout << file << ": " << recorded.output.rows * recorded.output.cols << " elements\n";
  }
}

Tensor normal(DType type, Index rows, Index cols, Random random) {
  Matrix values(rows, cols);
  for (float& value : values.values) value = random.normal();
  return encode(type, values);
}

struct Formats {
  DType input, weight, output;
};

std::string words_for(const Formats& formats) {
  return fmt::format("{}_{}_to_{}", name(formats.input), name(formats.weight), name(formats.output));
}

void PrintTo(const Formats& formats, std::ostream* stream) { *stream << words_for(formats); }

// K in whole steps of 16 bytes, rows of the output too, as algorithm 66 wants them.
GemmInputs random_inputs(const Formats& formats, std::uint64_t seed) {
  Random random(seed);
  const Index step = 16 / bytes_of(formats.input);
  const Index m = random.between(1, 200), n = 16 * random.between(1, 12), k = step * random.between(1, 96);
  GemmInputs inputs{.input = normal(formats.input, m, k, Random(seed, 1)),
                    .weight = normal(formats.weight, n, k, Random(seed, 2))};
  inputs.output = formats.output;
  const bool fp8 = bytes_of(formats.input) == 1;
  const DType bias_type = fp8 ? DType::bf16 : formats.output == DType::f32 ? DType::f32 : formats.output;
  if (random.coin() && !(fp8 && formats.output == DType::f32)) inputs.bias = normal(bias_type, 1, n, Random(seed, 3));
  if (random.coin() && bytes_of(formats.output) > 1) inputs.c = normal(formats.output, m, n, Random(seed, 4));
  if (fp8 && random.coin()) {
    inputs.input_scale = encode(DType::f32, Matrix(1, 1));
    set_code(*inputs.input_scale, 0, 0, encode(DType::f32, 0.75f + random.normal() / 16));
    inputs.weight_scale = encode(DType::f32, Matrix(1, 1));
    set_code(*inputs.weight_scale, 0, 0, encode(DType::f32, 1.3f + random.normal() / 16));
  }
  if (bytes_of(formats.output) == 1) inputs.output_scale = 2.5f;
  return inputs;
}

Accumulator model_of(const GemmInputs& inputs, bool fast) {
  if (bytes_of(inputs.input.dtype) == 2) return hopper_16bit;
  return fast ? hopper_fp8 : hopper_fp8_promoted;
}

class DeviceFormats : public Device, public testing::WithParamInterface<Formats> {};

TEST_P(DeviceFormats, IsTheModelBitForBitOnNormalData) {
  Index differing = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const GemmInputs inputs = random_inputs(GetParam(), seed);
    const bool fast = bytes_of(inputs.input.dtype) == 1 && seed % 2 == 0;
    const GemmResult got = gemm_on_device(inputs, fast), want = gemm(inputs, model_of(inputs, fast));
    for (Index i = 0; i < got.output.rows; ++i)
      for (Index j = 0; j < got.output.cols; ++j, ++compared)
        differing += code_at(got.output, i, j) != code_at(want.output, i, j);
    EXPECT_EQ(got.amax, bytes_of(inputs.output) == 1 ? want.amax : 0) << "seed " << seed;
  }
  EXPECT_EQ(differing, 0) << "of " << compared;
  std::cout << compared << " elements compared\n";
}

INSTANTIATE_TEST_SUITE_P(
    Cublas, DeviceFormats,
    testing::Values(Formats{DType::bf16, DType::bf16, DType::f32}, Formats{DType::bf16, DType::bf16, DType::bf16},
                    Formats{DType::fp16, DType::fp16, DType::fp16}, Formats{DType::fp16, DType::fp16, DType::f32},
                    Formats{DType::e4m3, DType::e4m3, DType::f32}, Formats{DType::e4m3, DType::e4m3, DType::bf16},
                    Formats{DType::e4m3, DType::e4m3, DType::e4m3}, Formats{DType::e5m2, DType::e4m3, DType::bf16},
                    Formats{DType::e4m3, DType::e5m2, DType::f32}),
    [](const auto& formats) { return words_for(formats.param); });

struct HardData {
  Data data;
  DType type;
};

class DeviceData : public Device, public testing::WithParamInterface<HardData> {};

// Sums that only grow, that cancel, and whose every step aligns anew, over long K: the model's truncations, one by one.
TEST_P(DeviceData, IsTheModelBitForBit) {
  Index differing = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Call call;
    call.tp = 1, call.tokens = 96, call.out = 128, call.in = 4096 + 16 * static_cast<Index>(seed), call.seed = seed;
    call.data = GetParam().data, call.dtype = bytes_of(GetParam().type) == 2 ? GetParam().type : DType::fp16;
    const NamedTensors data = make_inputs({{call}})[0];
    const auto operand = [&](const char* name, DType type) { return encode(type, decode(data.at(name)[0])); };
    const DType of_w = GetParam().type == DType::e5m2 ? DType::e4m3 : GetParam().type;  // cuBLASLt has no E5M2 by E5M2
    const GemmInputs inputs{.input = operand("x", GetParam().type), .weight = operand("w", of_w)};
    const bool fast = bytes_of(GetParam().type) == 1 && seed % 2 == 0;
    const GemmResult got = gemm_on_device(inputs, fast), want = gemm(inputs, model_of(inputs, fast));
    for (Index i = 0; i < got.output.rows; ++i)
      for (Index j = 0; j < got.output.cols; ++j, ++compared)
        differing += code_at(got.output, i, j) != code_at(want.output, i, j);
  }
  EXPECT_EQ(differing, 0) << "of " << compared;
  std::cout << compared << " elements compared\n";
}

INSTANTIATE_TEST_SUITE_P(Cublas, DeviceData,
                         testing::Values(HardData{Data::same_sign, DType::bf16}, HardData{Data::cancel, DType::bf16},
                                         HardData{Data::log_uniform, DType::bf16}, HardData{Data::cancel, DType::fp16},
                                         HardData{Data::log_uniform, DType::fp16},
                                         HardData{Data::same_sign, DType::e4m3}, HardData{Data::cancel, DType::e4m3},
                                         HardData{Data::log_uniform, DType::e4m3},
                                         HardData{Data::log_uniform, DType::e5m2}),
                         [](const auto& hard) {
                           Call call;
                           call.data = hard.param.data;
                           return key_named("data").get(call) + "_" + std::string(name(hard.param.type));
                         });

class DeviceSplitK : public Device, public testing::WithParamInterface<DType> {};

// Two and three splits of K, where the tiles do and do not divide evenly.
TEST_P(DeviceSplitK, CutsKWhereTheModelDoes) {
  for (Index k : {128, 192, 320, 1024, 1088}) {
    for (Index splits : {2, 3}) {
      GemmInputs inputs{.input = normal(GetParam(), 64, k, Random(1)), .weight = normal(GetParam(), 64, k, Random(2))};
      inputs.split_k = splits;
      try {
        const GemmResult got = gemm_on_device(inputs, false), want = gemm(inputs, model_of(inputs, false));
        EXPECT_EQ(got.output, want.output) << "K " << k << ", split-K " << splits;
      } catch (const DeviceError& error) {
        std::cout << "K " << k << ", split-K " << splits << ": " << error.what() << "\n";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cublas, DeviceSplitK, testing::Values(DType::bf16, DType::e4m3),
                         [](const auto& type) { return std::string(name(type.param)); });

TEST_F(Device, SaysInASentenceWhatTheLibraryWillNotDo) {
  GemmInputs inputs{.input = normal(DType::e4m3, 16, 24, Random(1)), .weight = normal(DType::e4m3, 16, 24, Random(2))};
  try {
    gemm_on_device(inputs, false);
    FAIL() << "K = 24 is not a multiple of 16 FP8 elements";
  } catch (const DeviceError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("16 x 16 x 24"));
  }
}

}  // namespace
}  // namespace lockstep
