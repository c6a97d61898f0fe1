// When two failures are the same: the same judge found them, as the same kind of finding ("race"), in outputs of the
// same names, and the likeliest fault of the one explains the other.
#pragma once

#include "oracle/diagnosis/explain.h"

namespace lockstep {

struct FailureKind {
  std::string judge;
  std::string kind;               // of hazards: "race", "deadlock"; else ""
  std::set<std::string> outputs;  // that differ; none where no values were compared
  std::string fault;              // that explains it; "": none does
};

FailureKind kind_of(const Verdict& verdict, const Explanation& explanation);

// A failure in fewer outputs is the same, one in none or in others is not.
bool is_same(const FailureKind& kind, const Prepared& prepared, const Program& program, const Verdict& verdict);

}  // namespace lockstep
