#include "oracle/inputs/program.h"

#include "fused/fuser/layer_plan.h"

namespace lockstep {

Program correct_program(const Case& a_case) {
  Program program{.calls = {}, .counter_base = a_case.first().counter};
  for (const Call& call : a_case.calls) {
    const Call known = resolved(call);
    program.calls.push_back(known.is_layer()
                                ? plan_of_layer(layer_of(known), problem_of(known), known.pass, overlap_of(known))
                                : plan_of_kernel(problem_of(known), overlap_of(known)));
  }
  return program;
}

}  // namespace lockstep
