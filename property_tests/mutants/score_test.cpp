// What the score counts, when it fails, and that it is what is asked.
#include "oracle/mutants/score.h"

#include "oracle/campaign/report_weights.h"
#include "oracle/mutants/configurations.h"
#include "oracle/report/json.h"
#include "oracle/report/mutants.h"
#include "property_tests/oracle/shell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace lockstep {
namespace {

using testing::HasSubstr;

std::string survivors(const MutantScore& score) {
  std::string all;
  for (const Survivor& survivor : score.survivors)
    all += survivor.mutant + " of " + print(score.cases[static_cast<std::size_t>(survivor.which)]) + "\n";
  return all;
}

void expect_passes(const MutantScope& scope) {
  const MutantScore score = score_mutants(scope, 2);
  EXPECT_GT(score.generated(), 1000);
  EXPECT_TRUE(score.passes()) << survivors(score);
  EXPECT_LE(score.median_cases(), 3);
}

TEST(MutantScore, OfSomePasses) { expect_passes({{3, 4}, 40}); }
TEST(MutantScore, OfAllPassesNightly) { expect_passes({{2, 3, 4, 8}, 1}); }

MutantScore score_of(Index killed, Index equivalent, Index survive) {
  MutantScore score;
  score.cases.push_back(Case{});
  const auto add = [&](Index n, const Trial& trial) {
    for (Index i = 0; i < n; ++i) score.tried.push_back({0, FieldClass::slot, trial});
  };
  add(killed, {Fate::killed, "exact", 1, 0.5}), add(equivalent, {Fate::equivalent, "same order", 0, 0.5});
  add(survive, {});
  return score;
}

TEST(MutantScore, IsWhatIsKilledOfWhatIsNotEquivalent) {
  EXPECT_EQ(score_of(3, 10, 1).ratio(), 0.75);
  EXPECT_TRUE(score_of(199, 1000, 1).passes());
  EXPECT_FALSE(score_of(198, 1000, 2).passes());
  EXPECT_FALSE(score_of(0, 10, 0).passes());  // nothing was tried
}

TEST(MutantScore, IsSaidOfThoseThatAreWellFormedToo) {
  MutantScore score = score_of(3, 10, 1);
  for (int i = 0; i < 16; ++i) score.tried.push_back({0, FieldClass::extent, {Fate::killed, "plan", 1, 0.5}});
  EXPECT_EQ(score.ratio(), 0.95);
  EXPECT_EQ(score.ratio_of_well_formed(), 0.75);
}

TEST(MutantScore, TellsEverySurvivor) {
  MutantScore score = score_of(1, 0, 1);
  score.survivors.push_back({0, "rank 1, main: copy: to.offset +1"});
  EXPECT_THAT(print_mutants(score), HasSubstr("survives rank 1, main: copy: to.offset +1"));
  EXPECT_THAT(print_mutants(score), HasSubstr("1 of 2 killed"));
  const auto json = to_json(score);
  EXPECT_EQ(json["survivors"].size(), 1u);
  EXPECT_EQ(json["total"], 2);
  EXPECT_EQ(json["killed"], 1);
  EXPECT_EQ(json["equivalent"], 0);
  EXPECT_FALSE(json["passes"]);
}

std::vector<Prepared> all_zero(std::vector<Prepared> cases) {
  for (Prepared& prepared : cases) {
    for (NamedTensors& inputs : prepared.inputs)
      for (auto& [name, ranks] : inputs)
        for (Tensor& tensor : ranks) std::ranges::fill(tensor.bytes, std::byte{0});
    prepared.wanted = expected(prepared.a_case, prepared.inputs);
  }
  return cases;
}

// Of zeros a copy from the wrong place gives what the right one gives: mutants survive data that show nothing, though
// their provenance is another.
TEST(MutantScore, OfDataThatShowNothingFails) {
  Call call;
  call.tokens = call.in = call.out = 5, call.bias = BiasPlacement::none;
  const std::vector<Prepared> cases = shown_cases({{call}});
  const Bench seeing(cases), blind(all_zero(cases));
  const std::vector<Mutant> mutants = mutants_of(seeing.plan());
  MutantScore by_seeing, by_blind;
  try_mutants(by_seeing, seeing, mutants, 1), try_mutants(by_blind, blind, mutants, 1);
  EXPECT_TRUE(by_seeing.passes()) << survivors(by_seeing);
  EXPECT_FALSE(by_blind.passes());
  EXPECT_EQ(std::ssize(by_blind.survivors), by_blind.count(Fate::survives));
  EXPECT_GT(by_blind.count(Fate::survives), 50);
}

TEST(Configurations, AreNeitherEmptyNorTheSameTwice) {
  for (Index tp : mutated_groups) {
    std::set<std::string> lines;
    for (const Case& a_case : mutated_cases(tp)) {
      const Call& call = a_case.first();
      EXPECT_EQ(call.tp, tp);
      EXPECT_GT(std::min({call.tokens, call.in, call.out}), tp) << print(a_case);
      EXPECT_TRUE(lines.insert(print(a_case)).second) << print(a_case);
    }
    EXPECT_GE(lines.size(), 29u);
  }
}

std::vector<ClassedKill> kills_of(std::initializer_list<std::pair<Index, bool>> all) {
  std::vector<ClassedKill> kills;
  for (const auto& [report_class, is_killed] : all) kills.push_back({report_class, is_killed});
  return kills;
}

TEST(ReportWeights, WeighClassesByTheirReports) {
  EXPECT_EQ(weighted_score({}), 0);
  EXPECT_EQ(weighted_score(kills_of({{1, true}, {6, true}})), 1);
  EXPECT_EQ(weighted_score(kills_of({{1, false}, {6, true}})), 39.0 / (9 + 39));
  EXPECT_EQ(weighted_score(kills_of({{6, false}, {6, true}, {16, true}})), (0.5 * 39 + 3) / (39 + 3));
  EXPECT_ANY_THROW(weighted_score(kills_of({{18, true}})));
}

TEST(ReportWeights, CountAFaultOnceThoughManyJudgesSeeIt) {
  const Fault &one = fault_catalogue()[0], &other = fault_catalogue()[1];
  std::vector<Kill> kills(4);
  kills[0].fault = kills[1].fault = &one, kills[2].fault = kills[3].fault = &other;
  for (Kill& kill : kills) kill.cases = 1;
  kills[1].cases = 0, kills[3].cases = 0, kills[3].expected = false;  // survives; cannot be seen
  const auto faults = by_fault(kills);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_FALSE(faults[0].is_killed);
  EXPECT_TRUE(faults[1].is_killed);
  EXPECT_EQ(to_json(kills)["named"]["killed"], 1);
  EXPECT_EQ(to_json(kills)["named"]["total"], 2);
}

TEST(Command, ScoresGeneratedMutants) {
  const Ended ended = shell("$L faults score --generated --sample 3001 --json -");
  ASSERT_EQ(ended.code, 0) << ended.output;
  const auto json = nlohmann::json::parse(ended.output);
  EXPECT_FALSE(json.contains("named"));
  const auto& generated = json["generated"];
  EXPECT_GT(generated["total"], 500);
  EXPECT_EQ(generated["killed"].get<Index>() + generated["equivalent"].get<Index>(), generated["total"]);
  EXPECT_EQ(generated["by_class"].size(), std::size(all_field_classes));
}

TEST(Command, PrintsTheOperators) {
  const Ended ended = shell("$L faults operators");
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.output, HasSubstr("edge "));
  EXPECT_THAT(ended.output, HasSubstr("that of another rank"));
}

TEST(Command, RefusesBothKindsOfFaultsOnly) {
  EXPECT_EQ(shell("$L faults score --named --generated").code, 2);
  EXPECT_EQ(shell("$L faults score --generated --sample 0").code, 2);
}

}  // namespace
}  // namespace lockstep
