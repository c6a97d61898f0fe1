#include "oracle/campaign/campaign.h"

#include "fused/mpi/team.h"
#include "oracle/campaign/crew.h"
#include "oracle/campaign/journal.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/campaign/parallel.h"
#include "oracle/campaign/stop.h"
#include "oracle/campaign/workers.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/blindness.h"
#include "oracle/judges/stopwatch.h"
#include "reference/contract/device_error.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep {
namespace {

CaseResult run_told(const Case& a_case, Index number, const Told& told) {
  told({number, a_case, {}});
  return run_case(a_case);
}

// A random case whose data can show what it should: others are drawn for its shapes while it is blind.
CaseResult run_random_case(const CampaignOptions& options, Index of_random, Index number, const Told& told) {
  constexpr Index attempts = 16;
  for (Index attempt = 0;; ++attempt) {
    CaseResult result = run_told(draw_case(options.seed, of_random, attempt, options.fixed), number, told);
    if (result.verdict.outcome != Outcome::blind || attempt == attempts) return result;
  }
}

CaseResult run_number(const CampaignOptions& options, Index number, const Told& told) {
  const Index given = std::ssize(options.cases);
  return number < given ? run_told(options.cases[static_cast<std::size_t>(number)], number, told)
                        : run_random_case(options, number - given, number, told);
}

// The first case of a number.
Case case_of(const CampaignOptions& options, Index number) {
  const Index given = std::ssize(options.cases);
  return number < given ? options.cases[static_cast<std::size_t>(number)]
                        : draw_case(options.seed, number - given, 0, options.fixed);
}

void expect_same_cases(const CampaignOptions& options) {
  for (const auto& [number, a_case] : options.resumed->first_begun)
    if (number >= std::ssize(options.cases) + options.random_cases || print(case_of(options, number)) != print(a_case))
      refuse("the journal is of another version of lockstep: its case {} is {}", number, print(a_case));
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
  std::optional<NamedCase> named;
  if (a_case.first().executor.kind == ExecutorKind::mpi) named.emplace(print(a_case));
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

namespace {

// The results of a campaign as they come, and the journal that they go to.
class Judged {
 public:
  explicit Judged(const CampaignOptions& options) : options_(options) {
    if (options.resumed) results_ = options.resumed->done;
  }

  void take(const Record& record) {
    if (options_.journal) options_.journal->add(record);
    if (!record.result) return;
    const std::lock_guard lock(one_at_a_time_);
    results_.insert_or_assign(record.number, *record.result);
  }
  const CaseResult* result(Index number) const {
    const auto found = results_.find(number);
    return found == results_.end() ? nullptr : &found->second;
  }
  std::vector<Index> left(const Range& numbers) const {
    std::vector<Index> all;
    for (Index number = numbers.begin; number < numbers.end; ++number)
      if (!result(number)) all.push_back(number);
    return all;
  }

 private:
  const CampaignOptions& options_;
  std::map<Index, CaseResult> results_;
  std::mutex one_at_a_time_;
};

void run_in_threads(const std::vector<Index>& numbers, Index threads, const JudgeNumber& judge, const Told& told) {
  parallel_for(std::ssize(numbers), threads, [&](Index i) {
    if (stop_asked_by()) return;
    const Index number = numbers[static_cast<std::size_t>(i)];
    const CaseResult result = judge(number, told);
    told({number, result.a_case, result});
  });
}

WorkerOptions workers_of(const CampaignOptions& options, Index count) {
  return {count, options.case_limit, [&options](Index number) { return case_of(options, number); }};
}

// In a job of MPI.
bool is_crash(const CampaignOptions& options, Index number) {
  constexpr Index runs = 3;
  return !options.may_fork && options.resumed->unfinished.contains(number) && options.resumed->begun.at(number) >= runs;
}

void run_begun(const CampaignOptions& options, const JudgeNumber& judge, const Told& told) {
  std::vector<Index> alone;
  for (const auto& [number, a_case] : options.resumed->unfinished) {
    if (options.may_fork) alone.push_back(number);
    if (!is_crash(options, number)) continue;
    const Verdict crash{
        Outcome::crash, "process", {}, "it has begun in three runs, and the job did not live to its end"};
    told({number, a_case, CaseResult{a_case, crash, "", 0}});
  }
  if (!alone.empty()) run_in_workers(alone, workers_of(options, 1), judge, told);
}

// What ended its process is not run here to be understood.
Failure failure_of(const CaseResult& result) {
  if (result.verdict.judge != "process") return diagnose(result.a_case);
  Explanation explanation;
  explanation.kind = name(result.verdict.outcome);
  explanation.sentence = result.verdict.finding;
  return {result.a_case, result.a_case, result.verdict, explanation};
}

// Up to the first that has failed already.
std::vector<Index> left_for_teams(const CampaignOptions& options, const Judged& judged) {
  std::vector<Index> left;
  for (Index number = 0; number < std::ssize(options.cases) + options.random_cases; ++number) {
    const CaseResult* result = judged.result(number);
    const bool crashed = options.resumed && is_crash(options, number);
    if (!result && !crashed) left.push_back(number);
    if ((crashed || (result && result->verdict.failed())) && !options.keep_going) break;
  }
  return left;
}

// In the order of their numbers, up to the first failure.
void collect(Campaign& campaign, const Judged& judged, const Range& numbers, bool keep_going) {
  for (Index number = numbers.begin; number < numbers.end; ++number) {
    const CaseResult* result = judged.result(number);
    if (!result && stop_asked_by()) continue;
    CHECK(result, "a case of a campaign was lost");
    campaign.results.push_back(*result);
    if (!result->verdict.failed()) continue;
    campaign.failures.push_back(failure_of(*result));
    if (!keep_going) return;
  }
}

}  // namespace

std::map<Index, CaseResult> run_part(const CampaignOptions& options, const Places& places, const Progress& progress) {
  Judged judged(options);
  const Told told = [&](const Record& record) { judged.take(record); };
  if (options.resumed) expect_same_cases(options);
  const std::vector<Index> left = left_for_teams(options, judged);
  std::map<Index, CaseResult> own;
  while (const auto place = places.next()) {
    if (*place >= std::ssize(left)) break;
    const Index number = left[static_cast<std::size_t>(*place)];
    const CaseResult& result = own[number] = run_number(options, number, told);
    told({number, result.a_case, result});
    if (result.verdict.failed() && !options.keep_going) places.last_is(*place);
    progress(*place + 1, std::ssize(left));
  }
  return own;
}

Campaign run_campaign(const CampaignOptions& options, const Progress& progress) {
  const Stopwatch stopwatch;
  const Index threads = threads_that_fit(options), given = std::ssize(options.cases);
  const Index batch = 32 * std::max<Index>(threads, 2);  // between two looks at whether to go on
  const Index all = given + options.random_cases;
  Judged judged(options);
  const JudgeNumber judge = [&](Index number, const Told& told) { return run_number(options, number, told); };
  const Told told = [&](const Record& record) { judged.take(record); };
  if (options.resumed) expect_same_cases(options), run_begun(options, judge, told);
  Campaign campaign;
  const auto goes_on = [&] { return (options.keep_going || campaign.failures.empty()) && !stop_asked_by(); };
  for (Index begin = 0; begin < all && goes_on(); begin += batch) {
    const Range numbers{begin, std::min(begin + batch, all)};
    const std::vector<Index> left = judged.left(numbers);
    if (options.isolate)
      run_in_workers(left, workers_of(options, threads), judge, told);
    else
      run_in_threads(left, threads, judge, told);
    collect(campaign, judged, numbers, options.keep_going);
    progress(numbers.end, all);
  }
  campaign.random_cases = std::max<Index>(0, std::ssize(campaign.results) - given);
  campaign.seconds = options.seconds_before + stopwatch.seconds();
  const bool is_whole = std::ssize(campaign.results) == all || !(options.keep_going || campaign.failures.empty());
  campaign.stopped_by = is_whole ? 0 : stop_asked_by();
  return campaign;
}

}  // namespace lockstep
