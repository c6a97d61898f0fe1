#include "oracle/judges/recorded/judge_bound.h"

#include "oracle/judges/recorded/bounded_gemm.h"
#include "oracle/judges/recorded/bounded_layer.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

std::string describe_model(const RecordedVerdict& verdict) {
  const auto& [largest, unjudged] = verdict.utilisation;
  std::string text = fmt::format("the order of sums withheld; largest |difference| {}is {:.2g} of its bound",
                                 verdict.agrees() ? "" : "of the others ", largest);
  if (unjudged > 0) text += fmt::format("; {} not judged, since a float may overflow in some order", unjudged);
  return text;
}

}  // namespace

void conclude_bound(RecordedVerdict& verdict) {
  if (verdict.compared > 0 && verdict.utilisation.unjudged == verdict.compared)
    refuse("judge bound can say nothing: a float may overflow in some order in each of {} elements", verdict.compared);
  verdict.judge = "bound";
  verdict.model = describe_model(verdict);
}

RecordedVerdict judge_bound(const RecordedOutputs& got, const std::vector<MatrixOf<Bounded>>& wanted) {
  RecordedVerdict verdict = compared(got, wanted);
  conclude_bound(verdict);
  return verdict;
}

RecordedVerdict judge_bound(const RecordedGemm& recorded) {
  return judge_bound(outputs_of(recorded), bounded_outputs(recorded));
}

RecordedVerdict judge_bound(const RecordedLayer& recorded) {
  return judge_bound(outputs_of(recorded), bounded_outputs(recorded));
}

}  // namespace lockstep
