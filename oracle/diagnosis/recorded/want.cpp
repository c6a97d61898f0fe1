#include "oracle/diagnosis/recorded/want.h"

#include "oracle/judges/recorded/bounded_gemm.h"
#include "oracle/judges/recorded/bounded_layer.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/same_value.h"
#include "oracle/judges/within_bounds.h"

namespace lockstep {
namespace {

template <typename Recorded>
RecordedWant wanted(const Recorded& recorded, Precision precision) {
  if (precision == Precision::to_the_bit) return declared_outputs(recorded);
  return bounded_outputs(recorded);
}

bool agrees(const Tensor& want, Index i, Index j, DType type, std::uint32_t code) {
  return same_value(type, code, code_at(want, i, j));
}

bool agrees(const MatrixOf<Bounded>& want, Index i, Index j, DType type, std::uint32_t code) {
  Utilisation utilisation;
  return is_within(type, code, want(i, j), utilisation);
}

float value(const Tensor& want, Index i, Index j) { return value_at(want, i, j); }
float value(const MatrixOf<Bounded>& want, Index i, Index j) { return static_cast<float>(want(i, j).value); }

}  // namespace

RecordedWant want_of(const RecordedGemm& recorded, Precision precision) { return wanted(recorded, precision); }
RecordedWant want_of(const RecordedLayer& recorded, Precision precision) { return wanted(recorded, precision); }

bool is_right(const RecordedWant& want, std::size_t output, Index i, Index j, DType type, std::uint32_t code) {
  return std::visit([&](const auto& outputs) { return agrees(outputs[output], i, j, type, code); }, want);
}

float value_of(const RecordedWant& want, std::size_t output, Index i, Index j) {
  return std::visit([&](const auto& outputs) { return value(outputs[output], i, j); }, want);
}

}  // namespace lockstep
