// From a case that fails to the smallest that fails in the same way, with its explanation.
#pragma once

#include "oracle/diagnosis/explain.h"

namespace lockstep {

struct Failure {
  Case found, shrunk;
  Verdict verdict;  // of the shrunk one
  // Of the shrunk one; its readings and patterns are of the one found, whose elements say more.
  Explanation explanation;
  std::string kernel{};  // the library under test; "": our own programs
};

// As reduce() has it (reduce.h), in at most 20 seconds; of a case that does not fail again, that it failed once.
Failure diagnose(const Case& failing);

}  // namespace lockstep
