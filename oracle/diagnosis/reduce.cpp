#include "oracle/diagnosis/reduce.h"

#include "oracle/diagnosis/same_failure.h"
#include "oracle/diagnosis/shrink.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/stopwatch.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// A case ready to be judged again and again.
struct Ready {
  Prepared prepared;
  Program program;

  explicit Ready(const Case& a_case)
      : prepared(prepare(a_case)), program(struck(prepared.correct, strike_of(a_case))) {}
};

Index runs_of(const Case& a_case, const ReduceOptions& options) {
  constexpr Index where_timing_differs = 16;
  const Executor& executor = a_case.first().executor;
  const bool differs = executor.kind == ExecutorKind::threads || executor.device == RunsOn::cuda;
  return options.runs > 0 ? options.runs : differs ? where_timing_differs : 1;
}

struct Trials {
  Rate rate;
  std::optional<Verdict> failure;  // the first
};

template <typename IsSame>
Trials trials(const Ready& ready, Index runs, const ReduceOptions& options, const IsSame& is_the_same) {
  Trials all;
  for (; all.rate.runs < runs; ++all.rate.runs) {
    Verdict verdict = options.judged(ready.prepared, ready.program);
    if (!is_the_same(verdict)) continue;
    ++all.rate.failed;
    if (!all.failure) all.failure = std::move(verdict);
  }
  return all;
}

Explanation explained(const Ready& ready, const Verdict& verdict, const std::string& likeliest) {
  return explain(ready.prepared, ready.program, verdict, likeliest, program_of);
}

class Search {
 public:
  Search(const Ready& original, const Trials& found, const ReduceOptions& options)
      : options_(options),
        explanation_(explained(original, *found.failure, "")),
        kind_(kind_of(*found.failure, explanation_)),
        runs_(runs_to_see(found.rate)) {}

  bool fails_the_same(const Case& candidate) try {
    if (is_out_of_time()) return false;
    validate(candidate);
    ++tried_;
    const Ready ready(candidate);
    for (Index run = 0; run < runs_; ++run)
      if (is_the_same(ready, options_.judged(ready.prepared, ready.program))) return true;
    return false;
  } catch (const Refusal&) {
    return false;  // a combination that no case can have
  }

  Reduced of(const Case& failing, const Case& smallest, const Trials& found) const {
    const Ready ready(smallest);
    const auto same = [&](const Verdict& verdict) { return is_the_same(ready, verdict); };
    Trials last = smallest == failing ? found : trials(ready, found.rate.runs, options_, same);
    // It failed when it was tried; now it does so too seldom to be seen.
    Verdict verdict = last.failure ? std::move(*last.failure) : *found.failure;
    Explanation explanation = explained(ready, verdict, kind_.fault);
    explanation.readings = explanation_.readings, explanation.patterns = explanation_.patterns;
    return {{failing, smallest, std::move(verdict), std::move(explanation)},
            found.rate,
            last.rate,
            tried_,
            stopwatch_.seconds(),
            is_out_of_time()};
  }

 private:
  bool is_out_of_time() const { return stopwatch_.seconds() >= options_.most_seconds; }
  bool is_the_same(const Ready& ready, const Verdict& verdict) const {
    return is_same(kind_, ready.prepared, ready.program, verdict);
  }

  const ReduceOptions& options_;
  Explanation explanation_;
  FailureKind kind_;
  Index runs_, tried_ = 0;
  Stopwatch stopwatch_;
};

}  // namespace

Index runs_to_see(const Rate& rate) {
  constexpr double missed = 0.01;
  constexpr Index most = 64;
  if (!rate.is_flaky()) return 1;
  const double passes = 1 - static_cast<double>(rate.failed) / static_cast<double>(rate.runs);
  const double runs = std::ceil(std::log(missed) / std::log(passes));
  return runs < static_cast<double>(most) ? std::max<Index>(1, static_cast<Index>(runs)) : most;
}

std::optional<Reduced> reduce(const Case& failing, const ReduceOptions& options) {
  const Ready original(failing);
  const Trials found =
      trials(original, runs_of(failing, options), options, [](const Verdict& verdict) { return verdict.failed(); });
  if (!found.failure) return {};
  Search search(original, found, options);
  const Case smallest = shrink(failing, [&](const Case& candidate) { return search.fails_the_same(candidate); });
  return search.of(failing, smallest, found);
}

}  // namespace lockstep
