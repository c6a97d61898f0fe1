#include "oracle/inputs/program.h"

#include "fused/fuser/fuse.h"
#include "fused/schedules/pipelined_gemm_reduce_scatter.h"
#include "reference/contract/refusal.h"

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

}  // namespace lockstep
