#include "oracle/inputs/program.h"

#include "fused/fuser/layer_plan.h"
#include "fused/plan/world.h"

namespace lockstep {
namespace {

Plan plan_of(const Call& call) {
  const Plan of_group = call.is_layer() ? plan_of_layer(layer_of(call), problem_of(call), call.pass, overlap_of(call))
                                        : plan_of_kernel(problem_of(call), overlap_of(call));
  return is_grouped(call) ? in_world(of_group, groups_of(call)) : of_group;
}

}  // namespace

Program correct_program(const Case& a_case) {
  Program program{.calls = {}, .counter_base = a_case.first().counter};
  for (const Call& call : a_case.calls) program.calls.push_back(plan_of(resolved(call)));
  return program;
}

}  // namespace lockstep
