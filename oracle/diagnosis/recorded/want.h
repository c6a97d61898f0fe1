// What the outputs of a recording must be: to the bit, in the order that it declares or the plainest; or, where the
// order of sums is withheld, to within a bound.
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/inputs/recorded_layer.h"
#include "reference/numerics/bounded.h"

#include <variant>

namespace lockstep {

enum class Precision { to_the_bit, to_within_a_bound };

using RecordedWant = std::variant<std::vector<Tensor>, std::vector<MatrixOf<Bounded>>>;

RecordedWant want_of(const RecordedGemm& recorded, Precision precision);
RecordedWant want_of(const RecordedLayer& recorded, Precision precision);

// Element (i, j) of the output so many: whether the code is right there, and the value it should have.
bool is_right(const RecordedWant& want, std::size_t output, Index i, Index j, DType type, std::uint32_t code);
float value_of(const RecordedWant& want, std::size_t output, Index i, Index j);

}  // namespace lockstep
