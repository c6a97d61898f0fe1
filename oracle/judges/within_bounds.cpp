#include "oracle/judges/within_bounds.h"

#include "oracle/judges/same_value.h"
#include "oracle/judges/sampled.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

bool is_within(DType type, std::uint32_t got, const Bounded& wanted, Utilisation& all) {
  const double value = decode(type, got), error = wanted.error() * (1 + 0x1p-20);
  if (wanted.is_known()) return same_value(type, got, encode(type, static_cast<float>(wanted.value)));
  if (std::isnan(wanted.value)) return std::isnan(value);
  if (std::isinf(wanted.value)) return !std::isfinite(value);
  if (!std::isfinite(error)) return ++all.unjudged, true;
  const double difference = std::abs(value - wanted.value);
  if (!(difference <= error)) return false;
  all.largest = std::max(all.largest, difference / error);
  return true;
}

void compare(Comparison& comparison, const Call& call, const Difference& place, const Tensor& got,
             const MatrixOf<Bounded>& wanted) {
  CHECK(got.rows == wanted.rows && got.cols == wanted.cols, "outputs of different shapes compared");
  const Sampled judged = sampled(call);
  Utilisation utilisation;
  const Origin origin = origin_of(problem_of(call), place.output, place.rank);
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j) {
      if (!is_sampled(judged, place.output, origin.row + i, origin.col + j)) continue;
      ++comparison.compared;
      const std::uint32_t code = code_at(got, i, j);
      if (is_within(got.dtype, code, wanted(i, j), utilisation)) continue;
      comparison.add(call, {place.call, place.rank, place.output, origin.row + i, origin.col + j, got.dtype, code,
                            encode(got.dtype, static_cast<float>(wanted(i, j).value))});
    }
  comparison.utilisation = std::max(comparison.utilisation, utilisation.largest);
  comparison.unjudged += utilisation.unjudged;
}

}  // namespace lockstep
