// From a case that fails to the smallest that fails in the same way, with its explanation.
#pragma once

#include "oracle/diagnosis/explain.h"

namespace lockstep {

struct Failure {
  Case found, shrunk;
  Verdict verdict;  // of the shrunk one
  Explanation
      explanation;  // of the shrunk one; its readings and patterns are of the one found, whose elements say more
};

// Two failures are the same when the same judge found them and the likeliest fault of the one explains the other. The
// search for the smallest ends after 20 seconds.
Failure diagnose(const Case& failing);

}  // namespace lockstep
