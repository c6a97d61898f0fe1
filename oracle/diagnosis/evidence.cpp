#include "oracle/diagnosis/evidence.h"

#include "oracle/judges/same_value.h"

#include <algorithm>

namespace lockstep {
namespace {

// Planted data under tensor scales that are not exact: rounding hides them, but for values near zero
// (oracle/inputs/budget.h).
float noise_of(const Call& call) {
  return call.data == Data::planted && has_tensor_scale(call.recipe) ? 0x1p-10f : 0.0f;
}

Held held_by(Index rank, const Call& call, const std::string& output, const Tensor& got, const Tensor& want) {
  const Origin origin = origin_of(problem_of(call), output, rank);
  Held held{rank, {origin.row, origin.row + got.rows}, {origin.col, origin.col + got.cols}, {}};
  const DType type = got.dtype;
  const float noise = noise_of(call);
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j) {
      const auto code = code_at(got, i, j), wanted = code_at(want, i, j);
      held.elements.push_back({rank, origin.row + i, origin.col + j, code, decode(type, code), decode(type, wanted),
                               !same_value(type, code, wanted), noise});
    }
  return held;
}

Evidence evidence(const Call& call, Index which, const std::string& output, const std::vector<Tensor>& got,
                  const std::vector<Tensor>& want) {
  Evidence evidence{which, output, want.front().dtype, {}, 0};
  for (std::size_t rank = 0; rank < want.size(); ++rank) {
    if (got[rank].bytes == want[rank].bytes) continue;
    Held held = held_by(static_cast<Index>(rank), call, output, got[rank], want[rank]);
    const Index differing = std::ranges::count(held.elements, true, &Element::differs);
    if (differing > 0) evidence.held.push_back(std::move(held));
    evidence.differing += differing;
  }
  return evidence;
}

}  // namespace

std::vector<Evidence> evidence_of(const Prepared& prepared, const Observed& observed) {
  std::vector<Evidence> all;
  for (std::size_t which = 0; which < prepared.wanted.size(); ++which)
    for (const char* output : {"y", "dx", "dw", "db", "main_grad"}) {
      const auto want = prepared.wanted[which].find(output);
      if (want == prepared.wanted[which].end() || want->second.empty()) continue;
      Evidence found = evidence(prepared.a_case.calls[which], static_cast<Index>(which), output,
                                observed.outputs[which].at(output), want->second);
      if (found.differing > 0) all.push_back(std::move(found));
    }
  return all;
}

}  // namespace lockstep
