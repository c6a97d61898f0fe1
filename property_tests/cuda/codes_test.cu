// The device's codes against the contract's: every code of 8 and 16 bits decoded, random floats encoded, on the host.
#include "fused/cuda/codes.cuh"

#include <gtest/gtest.h>

#include <random>

namespace lockstep {
namespace {

bool same(float a, float b) { return (a != a && b != b) || device::float_to_bits(a) == device::float_to_bits(b); }

class Codes : public testing::TestWithParam<DType> {};

TEST_P(Codes, DecodeAsTheContractDoes) {
  const DType type = GetParam();
  const std::uint64_t codes = std::uint64_t{1} << (type == DType::f32 ? 16 : 8 * bytes_of(type));
  for (std::uint64_t code = 0; code < codes; ++code) {
    const auto wide = static_cast<std::uint32_t>(type == DType::f32 ? code * 0x10001u : code);
    ASSERT_TRUE(same(device::decode_code(type, wide), decode(type, wide))) << code;
  }
}

TEST_P(Codes, EncodeAsTheContractDoes) {
  const DType type = GetParam();
  std::mt19937 random(7);
  for (int i = 0; i < 2'000'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const float value = device::bits_to_float(i % 2 ? bits : (bits & 0x807FFFFFu) | (100 + bits % 50) << 23);
    ASSERT_EQ(device::encode_value(type, value), encode(type, value)) << value;
  }
  for (float value : {0.0f, -0.0f, 448.0f, 464.0f, 57344.0f, 61440.0f, 65504.0f, 65520.0f, 0x1p-127f, 0x1.8p-127f,
                      0x1p127f, 0x1.8p127f})
    ASSERT_EQ(device::encode_value(type, value), encode(type, value)) << value;
}

INSTANTIATE_TEST_SUITE_P(OfEveryType, Codes, testing::ValuesIn(all_dtypes),
                         [](const auto& type) { return std::string(name(type.param)); });

}  // namespace
}  // namespace lockstep
