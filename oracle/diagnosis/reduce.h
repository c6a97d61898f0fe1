// From a case that fails to the smallest that fails in the same way (same_failure.h), with its explanation.
//
// A failure that comes and goes, as on real threads or on a device, is judged several times: the case given `runs`
// times, and every smaller one as often as it takes to miss a failure of that rate once in a hundred, at most 64 times.
#pragma once

#include "oracle/diagnosis/failure.h"

#include <optional>

namespace lockstep {

struct Rate {
  Index failed = 0, runs = 0;
  bool is_flaky() const { return failed < runs; }
};

struct Reduced {
  Failure failure;
  Rate found, smallest;  // how often the case given, and the smallest, failed
  Index tried = 0;       // smaller cases
  double seconds = 0;
  bool is_out_of_time = false;  // there might be a smaller one
};

using JudgedOnce = std::function<Verdict(const Prepared&, const Program&)>;

struct ReduceOptions {
  double most_seconds = 120;
  Index runs = 0;  // 0: 16 where the executor's timing is the machine's, else one
  JudgedOnce judged = [](const Prepared& prepared, const Program& program) { return judge(prepared, program); };
};

// None: it did not fail in any of the runs.
std::optional<Reduced> reduce(const Case& failing, const ReduceOptions& options = {});

// How often a case must run so that a failure of this rate is missed once in a hundred times; 1 to 64.
Index runs_to_see(const Rate& rate);

}  // namespace lockstep
