// The first operation of a program that goes wrong.
//
//   operation   it does not give what its own inputs imply: who executes it is wrong. With its output put right the
//               case is run again, which shows whether that was all
//   plan        every operation does what it says, but this one reads, writes or is something else than in the correct
//               plan, by provenance
//   order       values may be right by luck: by hazards, an operation that finds what it should not, or waits for ever
//   schedule    no fault was put into the plan, and all its operations do what they say: what the schedule makes is
//               itself wrong. Named is the operation that writes the first wrong element
//
// Looking on is itself a change: whether the failure was the same while it was looked at is said. What runs on a device
// or on real threads is looked at on the host, one operation after the other.
#pragma once

#include "oracle/diagnosis/wrong_operation.h"

#include <functional>

namespace lockstep {

enum class Culprit { none, operation, plan, order, schedule };
std::string_view name(Culprit culprit);

struct Bisected {
  Verdict verdict;  // of the case, not looked at
  Culprit culprit = Culprit::none;
  std::string operation;  // "call 0, rank 1, compute 0: gemm, split 2"
  std::string does;       // what it reads and writes, as the plan says
  std::string sentence;
  bool is_missing = false;      // the operation is one that the program should have and has not
  bool is_same_failure = true;  // looking on did not change it
  Index looked_at = 0;          // operations
};

struct BisectOptions {
  EffectOf effect_of = host_effect;
  std::function<Verdict(const Prepared&, const Program&)> judged =
      [](const Prepared& prepared, const Program& program) { return judge(prepared, program); };
};

Bisected bisect(const Prepared& prepared, const Program& program, const BisectOptions& options = {});

}  // namespace lockstep
