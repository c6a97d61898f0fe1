// The part of one of several teams.
#include "oracle/campaign/judged.h"
#include "oracle/campaign/numbered.h"

namespace lockstep {
namespace {

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
    if (result.verdict.failed() && !options.keep_going) places.end();
    progress(*place + 1, std::ssize(left));
  }
  return own;
}

}  // namespace lockstep
