#include "oracle/campaign/numbered.h"

#include "oracle/campaign/journal.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

CaseResult run_told(const CampaignOptions& options, const Case& a_case, Index number, const Told& told) {
  told({number, a_case, {}});
  return options.subject.judged(a_case);
}

// A random case, which has been told and is supported. Its data can show what it should: others are drawn for its
// shapes while it is blind.
CaseResult run_drawn(const CampaignOptions& options, const Case& first, Index of_random, Index turn, Index number,
                     const Told& told) {
  constexpr Index attempts = 16;
  CaseResult result = options.subject.judged(first);
  for (Index attempt = 1; attempt <= attempts && result.verdict.outcome == Outcome::blind; ++attempt)
    if (const auto other = options.subject.drawn(options.seed, of_random, turn, attempt, options.fixed))
      result = run_told(options, *other, number, told);
  return result;
}

constexpr Index turns = 64;

std::optional<Case> drawn(const CampaignOptions& options, Index of_random, Index turn) {
  return options.subject.drawn(options.seed, of_random, turn, 0, options.fixed);
}

CaseResult run_random_case(const CampaignOptions& options, Index of_random, Index number, const Told& told) {
  CaseResult none{{}, {Outcome::empty, "kernel", {}, "", 0}, "", 0};
  for (Index turn = 0; turn < turns; ++turn) {
    const auto a_case = drawn(options, of_random, turn);
    if (!a_case) continue;
    told({number, *a_case, {}});
    if (!options.subject.supports(*a_case)) {
      none.a_case = *a_case, ++none.unsupported;
      continue;
    }
    CaseResult result = run_drawn(options, *a_case, of_random, turn, number, told);
    result.unsupported = none.unsupported;
    return result;
  }
  none.verdict.finding = fmt::format("none of {} cases that were drawn is supported", none.unsupported);
  return none;
}

}  // namespace

CaseResult run_number(const CampaignOptions& options, Index number, const Told& told) {
  const Index given = std::ssize(options.cases);
  return number < given ? run_told(options, options.cases[static_cast<std::size_t>(number)], number, told)
                        : run_random_case(options, number - given, number, told);
}

Case case_of(const CampaignOptions& options, Index number) {
  const Index given = std::ssize(options.cases);
  if (number < given) return options.cases[static_cast<std::size_t>(number)];
  for (Index turn = 0; turn < turns; ++turn)
    if (const auto a_case = drawn(options, number - given, turn)) return *a_case;
  return {};
}

void expect_same_cases(const CampaignOptions& options) {
  for (const auto& [number, a_case] : options.resumed->first_begun)
    if (number >= std::ssize(options.cases) + options.random_cases || print(case_of(options, number)) != print(a_case))
      refuse("the journal is of another version of lockstep: its case {} is {}", number, print(a_case));
}

}  // namespace lockstep
