#include "oracle/campaign/campaign.h"

#include "oracle/campaign/child.h"
#include "oracle/campaign/failure_record.h"
#include "oracle/campaign/judged.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/campaign/numbered.h"
#include "oracle/campaign/parallel.h"
#include "oracle/campaign/stop.h"
#include "oracle/campaign/workers.h"
#include "oracle/judges/stopwatch.h"
#include "reference/contract/refusal.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep {
namespace {

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

Index Campaign::unsupported() const {
  Index all = 0;
  for (const CaseResult& result : results) all += result.unsupported;
  return all;
}

Index Campaign::unjudged() const {
  Index all = 0;
  for (const CaseResult& result : results) all += result.verdict.comparison.unjudged;
  return all;
}

namespace {

void run_in_threads(const std::vector<Index>& numbers, Index threads, const JudgeNumber& judge, const Told& told) {
  parallel_for(std::ssize(numbers), threads, [&](Index i) {
    if (stop_asked_by()) return;
    const Index number = numbers[static_cast<std::size_t>(i)];
    const CaseResult result = judge(number, told);
    told({number, result.a_case, result});
  });
}

WorkerOptions workers_of(const CampaignOptions& options, Index count) {
  return {count, options.case_limit, [&options](Index number) { return case_of(options, number); },
          !options.keep_going};
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

// Whether enough of its kind are understood already.
bool is_one_of_many(const Campaign& campaign, const CampaignOptions& options, const Verdict& verdict) {
  const auto is_alike = [&](const Failure& failure) {
    return failure.verdict.outcome == verdict.outcome && failure.verdict.judge == verdict.judge;
  };
  return std::ranges::count_if(campaign.failures, is_alike) >= options.subject.most_understood;
}

// Where cases are judged in processes of their own, so are failures understood: they are run again for that.
Failure failure_of(const CampaignOptions& options, const CaseResult& result) {
  if (!options.isolate) return options.subject.understood(result);
  const Said said =
      said_by_child([&] { return line_of(options.subject.understood(result)); }, options.explanation_limit);
  if (!said.text) return as_seen(result, fmt::format("the process that was to explain it {}", said.ended));
  return failure_on(*said.text).value_or(as_seen(result, "the process that was to explain it wrote nonsense"));
}

// In the order of their numbers, up to the first failure.
void collect(Campaign& campaign, const Judged& judged, const Range& numbers, const CampaignOptions& options) {
  for (Index number = numbers.begin; number < numbers.end; ++number) {
    const CaseResult* result = judged.result(number);
    if (!result && stop_asked_by()) continue;
    CHECK(result, "a case of a campaign was lost");
    campaign.results.push_back(*result);
    if (!result->verdict.failed()) continue;
    campaign.failures.push_back(
        is_one_of_many(campaign, options, result->verdict)
            ? as_seen(*result, fmt::format("not made small: {} others by judge {} are", options.subject.most_understood,
                                           result->verdict.judge))
            : failure_of(options, *result));
    campaign.failures.back().kernel = options.subject.kernel;
    if (!options.keep_going) return;
  }
}

}  // namespace

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
    collect(campaign, judged, numbers, options);
    progress(numbers.end, all);
  }
  campaign.random_cases = std::max<Index>(0, std::ssize(campaign.results) - given);
  campaign.seconds = options.seconds_before + stopwatch.seconds();
  const bool is_whole = std::ssize(campaign.results) == all || !(options.keep_going || campaign.failures.empty());
  campaign.stopped_by = is_whole ? 0 : stop_asked_by();
  return campaign;
}

}  // namespace lockstep
