// One case over and over, the seed of its executor moving on by one from run to run: how often it fails.
#pragma once

#include "oracle/diagnosis/reduce.h"

namespace lockstep {

struct RepeatOptions {
  Index runs = 100;
  bool until_it_fails = false;  // ends with the first failure
  double most_seconds = 600;
  JudgedOnce judged = [](const Prepared& prepared, const Program& program) { return judge(prepared, program); };
};

struct Repeated {
  Rate rate;
  Case first;       // that failed, with the seed of its run
  Verdict verdict;  // of that
  double seconds = 0;
};

// The case of run `number`; the same for executors that take no seed.
Case moved_on(Case a_case, Index number);

Repeated repeat(const Case& a_case, const RepeatOptions& options = {});

}  // namespace lockstep
