// A rule made ready: its data, the fused program of its case, and what the rule wants of it. Judged by the rule, struck
// by a fault or not.
//
// A program is run in order, on memory that starts as NaN. What is never written, or read before it is there, is a NaN
// here, where a device has what was there before: so a rule sees a fault that it rejects with these NaN, or with zeros
// in their place. Both are to the rule's favour.
#pragma once

#include "bench/shootout/rule.h"
#include "bench/shootout/unfused.h"
#include "fused/host/provenance.h"
#include "oracle/faults/strike.h"

namespace lockstep::shootout {

struct Entrant {
  const Rule* rule = nullptr;
  Case a_case;
  std::vector<NamedTensors> inputs;  // of the one call
  Program correct;
  std::vector<NamedTensors> like;  // an output of each name, with its type and shape
  FlatOutputs want;                // what the rule looks at: y, dx, dw, db
  std::vector<SymbolsByName> provenance;
  double seconds = 0;  // to make all this
};

// Refuses a rule that rejects the correct plan: then its data, shape or formula is not stated right.
Entrant enter(const Rule& rule, std::uint64_t seed);

// What the program gives on these inputs, under the names of `want`; empty where it hangs.
FlatOutputs outputs_of(const Entrant& entrant, const Program& program, const std::vector<NamedTensors>& inputs);

// Whether the rule accepts every output.
bool accepts(const Entrant& entrant, const FlatOutputs& got);

enum class Mark { seen, not_seen, not_applicable };
std::string_view name(Mark mark);

struct Trial {
  Mark mark = Mark::not_applicable;
  Index site = -1;  // of the fault, chosen by the seed; -1: it has none
  double seconds = 0;
};

// Not applicable: the plan has no site for the fault, or the fault leaves its provenance as it was.
Trial try_fault(const Entrant& entrant, const Fault& fault, std::uint64_t seed);

}  // namespace lockstep::shootout
