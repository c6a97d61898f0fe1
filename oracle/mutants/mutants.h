// All single-field mutations of a plan: every field of every operation (fields.h), and the operation itself, each
// changed by every operator that it takes (operators.h). A value that the field has already, or that another operator
// gave it, is left out. What an operation runs on is not mutated: buffers, counters and lanes are as they are.
//
//   dropped     nothing happens in the operation's place
//   duplicated  the operation happens twice; what comes after it comes after the second
//   swapped     two neighbours on a lane of a rank exchange what they do; the edges stay where they are
#pragma once

#include "fused/plan/plan.h"
#include "oracle/mutants/operators.h"

namespace lockstep {

struct Mutant {
  Index op = 0;      // index into Plan::ops
  std::string path;  // of the field; "operation"
  FieldClass kind = FieldClass::offset;
  Operator by = Operator::plus_one;
  std::size_t field = 0;  // among fields_of the operation
  Index value = 0;        // that a number or a choice gets; of an operation that is swapped, the other one
};

// In the order of the plan.
std::vector<Mutant> mutants_of(const Plan& plan);

Plan mutated(const Plan& plan, const Mutant& mutant);

// Where the plan's operation `op` stands in the mutated plan; of two, the first.
Index place_of(const Mutant& mutant, Index op);

// "rank 1, compute 0: gemm, split 2: a.values.offset +1"
std::string describe(const Plan& plan, const Mutant& mutant);

}  // namespace lockstep
