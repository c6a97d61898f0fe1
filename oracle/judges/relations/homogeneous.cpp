// A layer is homogeneous: X times c_x, W times c_w, dY times c_dy, and biases and what is kept to match, give
//
//   Y, b   c_x c_w        dX   c_dy c_w        dW, main gradient   c_dy c_x        db   c_dy
//   of each role: amaxes in a history |c|, scale 1 / |c|
//
// scale    each c a power of two. Bitwise where no value is a subnormal or overflows in either run: then every step
//          (product, sum, fma, rounding, largest / amax, 1 / scale) commutes with a power of two, and the codes of FP8
//          do not change. That is so where every magnitude lies in 2^-24 .. 2^24 and no type is fp16: with
//          contractions up to 2^20 and FP8 at its smallest, every value then lies in float's and bf16's normal range.
//          Planted data and rank_bits are whole numbers up to 2^11 wherever they are fp16, and so exact there too; c is
//          1/4 to 4, so that two of them fit. Not for address, which uses all exponents.
// negate   c_x = c_dy = -1, c_w = 1. Bitwise always: rounding to nearest even is odd, and so is saturation. A zero may
//          keep its sign, since sums start from +0: +0 and -0 are alike.
#include "oracle/inputs/random.h"
#include "oracle/judges/relations/outputs.h"

#include <cmath>

namespace lockstep {
namespace {

// Exponents of a factor of X, W and dY.
struct Degrees {
  int x = 0, w = 0, dy = 0;
};

int degree_of(const Degrees& d, std::string_view name) {
  if (name.starts_with("scale.")) return -degree_of(d, name.substr(6));
  if (name.starts_with("history.")) return degree_of(d, name.substr(8));
  if (name == "x") return d.x;
  if (name == "w") return d.w;
  if (name == "dy" || name == "db") return d.dy;
  if (name == "dx") return d.dy + d.w;
  return name == "y" || name == "b" ? d.x + d.w : d.dy + d.x;
}

template <typename F>
Tensor each_element(Tensor tensor, const F& f) {
  for (Index i = 0; i < tensor.rows; ++i)
    for (Index j = 0; j < tensor.cols; ++j) set_code(tensor, i, j, f(tensor.dtype, code_at(tensor, i, j)));
  return tensor;
}

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
    return call.data == Data::planted || call.data == Data::rank_bits ||
           (call.data == Data::normal && !has_narrow_exponent(call));
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

bool is_odd(std::string_view name) {
  const bool is_state = name.starts_with("scale.") || name.starts_with("history.");
  return !is_state && degree_of({1, 0, 1}, name) % 2 != 0;
}

std::uint32_t sign_bit(DType type) { return std::uint32_t{1} << (format(type).bits - 1); }

std::vector<NamedTensors> negated(const std::vector<NamedTensors>& tensors) {
  return each_tensor(tensors, [](std::size_t, const std::string& name, Index, const Tensor& tensor) {
    if (!is_odd(name)) return tensor;
    return each_element(tensor, [](DType type, std::uint32_t code) { return code ^ sign_bit(type); });
  });
}

Outputs without_signs_of_zeros(const Outputs& outputs) {
  return each_tensor(outputs, [](std::size_t, const std::string&, Index, const Tensor& tensor) {
    return each_element(tensor, [](DType type, std::uint32_t code) { return code == sign_bit(type) ? 0 : code; });
  });
}

Related negate(const Given& given, const Run& run) {
  const Case& a_case = given.asked.a_case;
  return {a_case, without_signs_of_zeros(run({a_case, negated(given.asked.inputs)})),
          without_signs_of_zeros(negated(given.outputs))};
}

}  // namespace

Relation scale_relation() {
  return {"scale", "powers of two on X, W and dY come out as powers of two", can_scale, scale};
}

Relation negate_relation() {
  return {"negate", "X, b and dY negated negate Y, dX and db", [](const Case&) { return true; }, negate};
}

}  // namespace lockstep
