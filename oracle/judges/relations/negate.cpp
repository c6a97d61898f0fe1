// X and dY negated, W not (degrees.h): b, Y, dX and db negate, dW and what is kept of scales stay.
//
// Bitwise on any data: rounding to nearest even is odd, and so is saturation. A zero may keep its sign, since sums
// start from +0: +0 and -0 are alike.
#include "oracle/judges/relations/degrees.h"

namespace lockstep {
namespace {

bool is_odd(std::string_view name) {
  const bool is_magnitude = name.starts_with("scale.") || name.starts_with("history.");
  return !is_magnitude && degree_of({1, 0, 1}, name) % 2 != 0;
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

Relation negate_relation() {
  return {"negate", "X, b and dY negated negate Y, dX and db", [](const Case&) { return true; }, negate};
}

}  // namespace lockstep
