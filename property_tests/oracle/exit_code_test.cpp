#include "oracle/campaign/exit_code.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

Campaign with(std::initializer_list<Outcome> outcomes) {
  Campaign campaign;
  for (Outcome outcome : outcomes) campaign.results.emplace_back().verdict.outcome = outcome;
  return campaign;
}

TEST(ExitCode, SaysTheWorst) {
  EXPECT_EQ(exit_code(with({Outcome::agree, Outcome::empty}), 0), exit_agree);
  EXPECT_EQ(exit_code(with({Outcome::agree, Outcome::disagree, Outcome::hang}), 1), exit_disagree);
  EXPECT_EQ(exit_code(with({Outcome::agree, Outcome::hang, Outcome::blind}), 1), exit_hang);
  EXPECT_EQ(exit_code(with({Outcome::agree, Outcome::crash, Outcome::hang}), 1), exit_disagree);
}

TEST(ExitCode, TooManyBlindOrNothingThatAgreesIsBlind) {
  const Campaign half = with({Outcome::agree, Outcome::blind, Outcome::empty});
  EXPECT_EQ(exit_code(half, 0.5), exit_agree);
  EXPECT_EQ(exit_code(half, 0.49), exit_blind);
  EXPECT_EQ(exit_code(with({Outcome::blind}), 1), exit_blind);
  EXPECT_EQ(exit_code(with({Outcome::empty}), 1), exit_blind);
  EXPECT_EQ(exit_code({}, 1), exit_blind);
}

}  // namespace
}  // namespace lockstep
