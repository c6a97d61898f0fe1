#include "oracle/judges/recorded/judge_freivalds.h"

#include "oracle/judges/freivalds/freivalds_gemm.h"
#include "oracle/judges/recorded/exact.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

namespace lockstep {

RecordedVerdict judge_freivalds(const RecordedGemm& recorded) {
  expect_product_of_codes(recorded.inputs);
  expect_exact(recorded.inputs, recorded.fast_accumulate);
  const Findings findings = freivalds(recorded.inputs, recorded.output, {});
  const PieceOf at = recorded.piece.value_or(PieceOf{});
  RecordedVerdict verdict;
  verdict.judge = "freivalds";
  verdict.model = "exact data; output x = input (weight^T x) modulo 2^61 - 1";
  if (recorded.output_amax) verdict.model += "; output_amax not judged";
  verdict.compared = recorded.output.rows * recorded.output.cols;
  for (const WrongElement& wrong : findings.elements)
    verdict.add({"output", at.row + wrong.row, at.col + wrong.col, recorded.output.dtype, wrong.got, wrong.want});
  verdict.differing += findings.unexamined;
  return verdict;
}

}  // namespace lockstep
