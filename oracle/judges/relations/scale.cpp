// Powers of two on X, W and dY (degrees.h), from 1/4 to 4.
//
// Bitwise where no value is a subnormal or overflows in either run: then every step (product, sum, fma, rounding,
// largest / amax, 1 / scale) commutes with a power of two, and the codes of FP8 do not change. That is so where every
// magnitude lies in 2^-24 .. 2^24 and no type is fp16: with contractions up to 2^20 and FP8 at its smallest, every
// value then lies in the normal range of float and bf16. With fp16 it is so of planted data without block scales and of
// rank_bits: whole numbers up to 2^11, with room for two factors of 4. Not of address, which uses all exponents, nor of
// planted data under block scales, which has spent that room (planted_exponents.h).
#include "oracle/inputs/random.h"
#include "oracle/judges/relations/degrees.h"

#include <cmath>

namespace lockstep {
namespace {

std::vector<NamedTensors> scaled(const std::vector<NamedTensors>& tensors, const Degrees& d) {
  return each_tensor(tensors, [&](std::size_t, const std::string& name, Index, const Tensor& tensor) {
    const int degree = degree_of(d, name);
    return each_element(
        tensor, [=](DType type, std::uint32_t code) { return encode(type, std::ldexp(decode(type, code), degree)); });
  });
}

bool has_range(float value) {
  const float magnitude = std::abs(value);
  return magnitude == 0 || (magnitude >= 0x1p-24f && magnitude <= 0x1p24f);
}

bool has_range(const std::vector<NamedTensors>& inputs) {
  for (const NamedTensors& of_call : inputs)
    for (const auto& [name, ranks] : of_call)
      for (const Tensor& tensor : ranks)
        if (!std::ranges::all_of(decode(tensor).values, [](float value) { return has_range(value); })) return false;
  return true;
}

bool has_narrow_exponent(const Call& call) {
  return call.dtype == DType::fp16 || call.wire == DType::fp16 || call.accumulate == DType::fp16;
}

bool can_scale(const Case& a_case) {
  return every_call(a_case, [](const Call& call) {
    if (call.data == Data::address) return false;
    return !has_narrow_exponent(call) || (is_exact(call.data) && !has_block_scales(call.recipe));
  });
}

Related scale(const Given& given, const Run& run) {
  Asked asked = given.asked;
  if (!has_range(asked.inputs)) return {};
  Random random(asked.a_case.first().seed, 0x5CA1Eu);
  const auto exponent = [&] { return static_cast<int>(random.coin() ? random.between(1, 2) : random.between(-2, -1)); };
  const Degrees degrees{exponent(), exponent(), exponent()};
  asked.inputs = scaled(asked.inputs, degrees);
  return {asked.a_case, run(asked), scaled(given.outputs, degrees)};
}

}  // namespace

Relation scale_relation() {
  return {"scale", "powers of two on X, W and dY come out as powers of two", can_scale, scale};
}

}  // namespace lockstep
