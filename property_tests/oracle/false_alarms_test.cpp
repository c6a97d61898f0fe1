// No judge calls a correct case wrong.
#include "oracle/campaign/campaign.h"
#include "oracle/report/text.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

void expect_no_alarm(JudgeChoice judge, Index cases, std::uint64_t seed) {
  CampaignOptions options;
  options.random_cases = cases, options.seed = seed, options.fixed.judge = judge, options.keep_going = true;
  const Campaign campaign = run_campaign(options, [](Index, Index) {});
  for (const Failure& failure : campaign.failures) ADD_FAILURE() << print(failure);
  EXPECT_EQ(campaign.count(Outcome::disagree) + campaign.count(Outcome::hang), 0);
  EXPECT_GE(campaign.count(Outcome::agree), cases * 9 / 10) << print_summary(campaign);
}

TEST(FalseAlarms, NoneByTheStrongestJudge) { expect_no_alarm(JudgeChoice::strongest, 1000, 20); }
TEST(FalseAlarms, NoneByBounds) { expect_no_alarm(JudgeChoice::bound, 500, 21); }
TEST(FalseAlarms, NoneByFreivalds) { expect_no_alarm(JudgeChoice::freivalds, 500, 22); }
TEST(FalseAlarms, NoneByRelations) { expect_no_alarm(JudgeChoice::relations, 200, 23); }

TEST(FalseAlarms, NightlyNoneIn200000Cases) { expect_no_alarm(JudgeChoice::strongest, 200'000, 24); }
TEST(FalseAlarms, NightlyNoneByTheOthersIn40000) {
  for (JudgeChoice judge : {JudgeChoice::bound, JudgeChoice::freivalds, JudgeChoice::relations})
    expect_no_alarm(judge, 40'000, 25);
}

}  // namespace
}  // namespace lockstep
