#include "oracle/diagnosis/examine.h"

#include "oracle/faults/strike.h"

namespace lockstep {

Examined examine(const Case& a_case, const std::string& likeliest) {
  const Prepared prepared = prepare(a_case);
  return examine(prepared, struck(prepared.correct, strike_of(a_case)), likeliest);
}

Examined examine(const Prepared& prepared, const Program& program, const std::string& likeliest) {
  Verdict verdict = judge(prepared, program);
  Explanation explanation =
      verdict.failed() ? explain(prepared, program, verdict, likeliest, program_of) : Explanation{};
  return {std::move(verdict), std::move(explanation)};
}

std::string likeliest_of(const Examined& examined) {
  return examined.explanation.faults.empty() ? "" : examined.explanation.faults.front();
}

}  // namespace lockstep
