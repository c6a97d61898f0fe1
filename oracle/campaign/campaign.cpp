#include "oracle/campaign/campaign.h"

#include "fused/mpi/team.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/campaign/parallel.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/blindness.h"
#include "oracle/judges/stopwatch.h"
#include "reference/contract/device_error.h"
#include "reference/contract/quote.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep {
namespace {

// A random case whose data can show what it should: others are drawn for its shapes while it is blind.
CaseResult run_random_case(const CampaignOptions& options, Index number) {
  constexpr Index attempts = 16;
  for (Index attempt = 0;; ++attempt) {
    CaseResult result = run_case(draw_case(options.seed, number, attempt, options.fixed));
    if (result.verdict.outcome != Outcome::blind || attempt == attempts) return result;
  }
}

CaseResult run_number(const CampaignOptions& options, Index number) {
  const Index given = std::ssize(options.cases);
  return number < given ? run_case(options.cases[static_cast<std::size_t>(number)])
                        : run_random_case(options, number - given);
}

// As many cases at once as fit in memory together.
Index threads_that_fit(const CampaignOptions& options) {
  Index most = 1;
  for (const Case& a_case : options.cases) most = std::max(most, bytes_needed(a_case));
  const Index asked = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<Index>(bytes_available() / most, 1, asked);
}

}  // namespace

Index Campaign::count(Outcome outcome) const {
  return std::ranges::count(results, outcome, [](const CaseResult& result) { return result.verdict.outcome; });
}

double Campaign::utilisation() const {
  double largest = 0;
  for (const CaseResult& result : results) largest = std::max(largest, result.verdict.comparison.utilisation);
  return largest;
}

Index Campaign::unjudged() const {
  Index all = 0;
  for (const CaseResult& result : results) all += result.verdict.comparison.unjudged;
  return all;
}

CaseResult run_case(const Case& a_case) try {
  refuse_if_too_large(a_case);
  if (a_case.first().executor.kind == ExecutorKind::mpi) name_case(print(a_case));
  CaseResult result{a_case, {}, "", 0};
  const Prepared prepared = prepare(a_case);
  result.reference_seconds = prepared.reference_seconds;
  const Strike strike = strike_of(a_case);
  result.verdict = judge(prepared, struck(prepared.correct, strike));
  if (result.verdict.outcome != Outcome::agree) return result;
  if (strike.fault) {  // without a place for its fault a case tests nothing
    if (most_sites(*strike.fault, prepared.correct) == 0) result.verdict.outcome = Outcome::empty;
    return result;
  }
  if (const auto fault = blind_to(prepared)) {
    result.verdict.outcome = Outcome::blind;
    result.verdict.finding = fmt::format("this case agrees, but would agree with the fault {} too", *fault);
    result.blind_to = *fault;
  }
  return result;
} catch (const DeviceError& error) {
  throw DeviceError(fmt::format("{} in the case {}", error.what(), in_quotes(print(a_case))));
}

Campaign run_campaign(const CampaignOptions& options, const Progress& progress) {
  const Stopwatch stopwatch;
  const Index threads = threads_that_fit(options);
  const Index batch = 32 * std::max<Index>(threads, 2);  // between two looks at whether to go on
  Campaign campaign;
  const Index all = std::ssize(options.cases) + options.random_cases;
  for (Index begin = 0; begin < all && (options.keep_going || campaign.failures.empty()); begin += batch) {
    const Index size = std::min(batch, all - begin);
    std::vector<CaseResult> results(static_cast<std::size_t>(size));
    parallel_for(size, threads,
                 [&](Index i) { results[static_cast<std::size_t>(i)] = run_number(options, begin + i); });
    for (CaseResult& result : results) {
      campaign.results.push_back(std::move(result));
      if (!campaign.results.back().verdict.failed()) continue;
      campaign.failures.push_back(diagnose(campaign.results.back().a_case));
      if (!options.keep_going) break;
    }
    progress(begin + size, all);
  }
  campaign.random_cases = std::max<Index>(0, std::ssize(campaign.results) - std::ssize(options.cases));
  campaign.seconds = stopwatch.seconds();
  return campaign;
}

}  // namespace lockstep
