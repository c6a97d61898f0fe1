#include "oracle/faults/inject.h"

#include "fused/fuser/fuse.h"
#include "fused/schedules/pipelined_gemm_reduce_scatter.h"
#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <charconv>

namespace lockstep {
namespace {

Plan plan_of_layer(const Call& call) {
  const auto fused = fuse(layer_of(call));
  CHECK(fused.size() == 1 && std::holds_alternative<UserbuffersForwardLinear>(fused[0]),
        "a layer that the fuser did not fuse");
  return plan_of(std::get<UserbuffersForwardLinear>(fused[0]), problem_of(call), call.splits);
}

Plan plan_of_call(const Call& call) {
  return call.op == Kernel::row_linear ? plan_of_layer(call)
                                       : pipelined_gemm_reduce_scatter(problem_of(call), call.splits);
}

}  // namespace

Program correct_program(const Case& a_case) {
  Program program;
  for (const Call& call : a_case.calls) program.calls.push_back(plan_of_call(call));
  return program;
}

Strike strike_of(const Case& a_case) {
  const std::string& text = a_case.first().fault;
  if (text.empty()) return {};
  const auto colon = text.find(':');
  Strike strike{&fault_named(text.substr(0, colon)), static_cast<Index>(mix(a_case.first().seed, 7) >> 1)};
  if (colon != text.npos) std::from_chars(text.data() + colon + 1, text.data() + text.size(), strike.site);
  return strike;
}

Program struck(Program program, const Strike& strike) {
  if (!strike.fault) return program;
  for (Plan& plan : program.calls)
    if (const Index sites = strike.fault->sites(plan); sites > 0)
      plan = strike.fault->apply(std::move(plan), strike.site % sites);
  return program;
}

Program program_of(const Case& a_case) { return struck(correct_program(a_case), strike_of(a_case)); }

}  // namespace lockstep
