// Relations between two runs of one fused program: what must not change, or must change in a known way, where the case
// or its inputs are changed. They need no reference, and hold bit for bit on any data that they apply to, so also on
// normal data with arbitrary scales. Each file of oracle/judges/relations says the formula, when it applies, and why it
// is bitwise there.
//
//   scale             powers of two on X, W and dY come out as powers of two
//   negate            X, b and dY negated negate Y, dX and db
//   permute_tokens    tokens in another order are the same tokens in that order
//   permute_features  so are output features
//   duplicate         equal tokens, equal rows of W and equal biases give equal rows and columns
//   exchange_ranks    what the ranks hold may be held by each other
//   splits            how many splits a pipeline has, and which it launches first, changes nothing
//   aggregate         nor does moving chunks in pairs
//   frozen            a pass that leaves dW out gives the rest as it was
//   second_call       the same call again gives the same again
//   fresh_call        each call gives what it gives alone, on what the call before it kept
//   margin            one more halves the scales that delayed scaling keeps
//   history           amaxes that it forgets do not matter
//   main_grad         dW is added to the main gradient
//   adjoint           <dY, Y - b> = <dX, X> = <dW, W>, <dY, b> = <db, b>
//
// What is wrong in the same way in both runs is not seen: a sum over the ranks that is rounded or ordered otherwise
// than declared, on normal data a contribution that is missing or twice.
#pragma once

#include "fused/plan/plan.h"
#include "oracle/inputs/inputs.h"
#include "oracle/judges/comparison.h"
#include "oracle/judges/relations/relation.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct RelationFinding {
  std::string relation;
  std::string sentence;   // empty where it holds
  Comparison comparison;  // of one run with what the other says it must be; places are those of the case that it ran
  Index relations = 0;    // that were tried

  bool holds() const { return sentence.empty(); }
};

// From a case, the program to judge. It is asked for the case as it is and for changed ones.
using ProgramOf = std::function<Program(const Case&)>;

const std::vector<Relation>& all_relations();
// Those that apply to the case, in the order above.
std::vector<std::string_view> relations_of(const Case& a_case);

// The first that does not hold, of those that apply; else one that holds, with all that was compared. The case's own
// program must be well formed and end, which is what other judges say first (CHECKed); a changed case whose program is
// malformed or hangs breaks the relation.
RelationFinding broken_relation(const Case& a_case, const std::vector<NamedTensors>& inputs,
                                const ProgramOf& program_of);

// One by one: the case's own run, and what a relation that applies says of it.
Given given(const Case& a_case, const std::vector<NamedTensors>& inputs, const ProgramOf& program_of);
RelationFinding checked(const Relation& relation, const Given& given, const ProgramOf& program_of);

}  // namespace lockstep
