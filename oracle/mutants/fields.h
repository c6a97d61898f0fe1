// Every field of an operation of a plan, one by one, so that each can be read and changed without knowing the kind of
// the operation. `split` is a label that nothing reads, and is not among them.
#pragma once

#include "fused/plan/plan.h"
#include "oracle/mutants/operators.h"

#include <functional>

namespace lockstep {

struct Field {
  std::string path;  // "a.values.offset", "sources[2].rank", "after[0]"
  FieldClass kind = FieldClass::offset;
  Index value = 0;    // of a number; of a choice its place among the choices
  Index choices = 0;  // how many there are; 0: a number
  Index stride = 0;   // the leading dimension of the region that it counts elements of

  // What can be done to it, in the operation that it was taken from. Empty: this cannot.
  std::function<void(Index)> set{};
  std::function<void()> drop{}, add{}, duplicate{}, swap{};
};

// The fields change `op`, and are good until the first of them has.
std::vector<Field> fields_of(const Plan& plan, PlanOp& op);

}  // namespace lockstep
