// Groups inside a larger world: all judges, every way to run, and the faults that only a world shows.
#include "fused/plan/world.h"
#include "oracle/campaign/campaign.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/diagnosis/decode.h"
#include "oracle/faults/strike.h"
#include "oracle/hazards/hazards.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/of_group.h"
#include "oracle/order/case_order.h"
#include "property_tests/in_a_world.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

using testing::HasSubstr;

const char* const dealings[] = {"block", "strided", "offset:1", "permuted:3"};

Case in_world_of(Index count, const char* dealing, Call call) {
  call.tp = 2, call.world = count * call.tp;
  key_named("groups").set(call, dealing);
  call = resolved(call);
  return {{call, call}};
}

// Every operation, pass, method, recipe, bias.
TEST(Worlds, AgreeInEveryCell) {
  std::size_t which = 0;
  for (const Cell& cell : all_cells()) {
    Call call = with_cell({}, cell);
    call.tokens = 5, call.in = 7, call.out = 6, call.seed = which;
    call.dtype = call.wire = DType::f32;
    const Case a_case = in_world_of(2, dealings[which++ % std::size(dealings)], call);
    const Verdict verdict = judge(a_case);
    EXPECT_EQ(verdict.outcome, Outcome::agree) << print(a_case) << "\n" << verdict.finding;
  }
}

RC_GTEST_PROP(Worlds, AgreeWhateverTheGroups, ()) {
  const Case a_case = *in_a_world(arbitrary_case());
  const Verdict verdict = judge(a_case);
  if (verdict.failed()) RC_FAIL(print(a_case) + "\n" + verdict.judge + ": " + verdict.finding);
}

TEST(Worlds, AgreeByEveryExecutorAndJudge) {
  for (const char* how :
       {"executor=adversary:3", "executor=pct:4", "executor=late:5", "executor=fast:4", "executor=threads:2",
        "executor=provenance", "counter=18446744073709551610", "judge=bound data=normal", "judge=freivalds",
        "sample=1 tokens=30", "data=specials", "tp=1", "calls=3 recipe=delayed", "arithmetic=hopper data=normal"}) {
    const std::string tp = std::string(how).starts_with("tp") ? "" : "tp=2 ";
    for (const char* dealing : dealings) {
      const std::string line = fmt::format("op=gemm_rs {}world=6 groups={} tokens=7 in=9 out=8 ", tp, dealing);
      const Case a_case = parse_case(tp.empty() || !std::string(how).starts_with("sample")
                                         ? line + how
                                         : fmt::format("op=gemm_rs tp=2 world=6 groups={} {}", dealing, how));
      EXPECT_EQ(judge(a_case).outcome, Outcome::agree) << print(a_case);
    }
  }
}

// What is known of the group alone, of its inputs, of what it must give, and of what must reach it.
RC_GTEST_PROP(Worlds, GiveTheFirstGroupWhatItHasAlone, ()) {
  const Case a_case = *in_a_world(arbitrary_case());
  const Prepared alone = prepare(case_of_group(a_case, 0)), first = of_group(prepare(a_case), 0);
  RC_ASSERT(first.inputs == alone.inputs);
  RC_ASSERT(first.wanted == alone.wanted);
  RC_ASSERT(first.a_case == alone.a_case);
}

// Or one group's result in another's place would not show.
TEST(Worlds, GiveEveryGroupDataOfItsOwn) {
  const Prepared prepared = prepare(parse_case("tp=2 world=6 groups=strided tokens=6 in=8 out=8"));
  std::set<std::vector<std::byte>> given, wanted;
  for (Index rank = 0; rank < 6; ++rank) {
    given.insert(prepared.inputs[0].at("x")[static_cast<std::size_t>(rank)].bytes);
    wanted.insert(prepared.wanted[0].at("y")[static_cast<std::size_t>(rank)].bytes);
  }
  EXPECT_EQ(given.size(), 6u);
  EXPECT_EQ(wanted.size(), 6u);
}

// A wrong element is found at its rank in the world, whichever group has it.
RC_GTEST_PROP(Worlds, NameTheRankOfTheWorldThatIsWrong, ()) {
  const Case a_case = *in_a_world(rc::gen::just(parse_case("tp=2 tokens=4 in=4 out=4 bias=none")));
  const Prepared prepared = prepare(a_case);
  Observed observed = observe(prepared, prepared.correct, {});
  const auto rank = *rc::gen::inRange<std::size_t>(0, static_cast<std::size_t>(a_case.first().ranks()));
  Tensor& y = observed.outputs[0].at("y")[rank];
  set_code(y, 1, 2, code_at(y, 1, 2) ^ 1);
  const Comparison comparison = compare_outputs(prepared, observed);
  RC_ASSERT(comparison.differing == 1 && comparison.compared == 8 * a_case.first().ranks());
  RC_ASSERT(comparison.ranks == std::set<Index>{static_cast<Index>(rank)});
  RC_ASSERT(comparison.first.at(0).rank == static_cast<Index>(rank));
  const Index place = [&] {
    for (const auto& ranks : groups_of(a_case.first()))
      if (const auto at = std::ranges::find(ranks, static_cast<Index>(rank)); at != ranks.end())
        return at - ranks.begin();
    return std::ptrdiff_t{-1};
  }();
  RC_ASSERT(comparison.rows == (Range{2 * place + 1, 2 * place + 2}) && comparison.cols == (Range{2, 3}));
}

// What one group has is not told of another: a rank missing in group 1 alone is read in group 1.
TEST(Worlds, ReadWrongValuesGroupByGroup) {
  const Case a_case = parse_case("tp=3 world=6 groups=strided tokens=9 in=12 out=8 fault=rank_missing:1");
  const Prepared prepared = prepare(a_case);
  Observed observed = observe(prepared, program_of(a_case), {});
  for (std::size_t rank : {0u, 2u, 4u}) observed.outputs[0].at("y")[rank] = prepared.wanted[0].at("y")[rank];
  const auto readings = decode(prepared, observed);
  ASSERT_FALSE(readings.empty());
  EXPECT_EQ(readings[0].words, "rank 1 missing");
  EXPECT_THAT(readings[0].where, HasSubstr("of group 1, ranks 1, 3, 5 of the world"));
}

const char* const of_worlds[] = {
    "external_peer_as_world_rank", "peer_as_world_rank", "source_as_world_rank", "ring_over_world",
    "rows_by_world_size",          "rank_list_wrong",    "signal_of_other_group"};

RC_GTEST_PROP(WorldFaults, NeedAWorld, ()) {
  const Program alone = correct_program(*arbitrary_case());
  for (const char* fault : of_worlds)
    for (const Plan& plan : alone.calls) RC_ASSERT(fault_named(fault).sites(plan) == 0);
}

TEST(WorldFaults, AreFoundAndNamed) {
  const std::pair<const char*, const char*> lines[] = {
      {"external_peer_as_world_rank", "op=row_linear pass=backward recipe=mxfp8 tp=2 world=4"},
      {"external_peer_as_world_rank", "op=row_linear pass=both recipe=block128 tp=3 world=6 groups=strided"},
      {"peer_as_world_rank", "op=ag_gemm tp=2 world=4"},
      {"peer_as_world_rank", "op=gemm_rs method=ring_exchange tp=3 groups=permuted:1"},
      {"source_as_world_rank", "op=gemm_rs tp=2 world=4"},
      {"ring_over_world", "op=ag_gemm tp=2 world=4 groups=strided"},
      {"rows_by_world_size", "op=gemm_rs tp=2 world=4"},
      {"rank_list_wrong", "op=column_linear pass=both tp=2 world=4 groups=offset:1"},
      {"signal_of_other_group", "op=gemm_rs method=accumulate tp=2 world=4"}};
  for (const auto& [fault, line] : lines) {
    const Case a_case = parse_case(fmt::format("{} tokens=9 in=12 out=10 fault={}", line, fault));
    const Prepared prepared = prepare(a_case);
    const Program program = program_of(a_case);
    const Verdict verdict = judge(prepared, program);
    ASSERT_TRUE(verdict.failed()) << print(a_case);
    const Explanation explanation = explain(prepared, program, verdict, "", program_of);
    ASSERT_FALSE(explanation.faults.empty()) << print(a_case);
    EXPECT_EQ(explanation.faults.front(), fault) << print(a_case);
  }
}

std::vector<Index> sources_of_rank(const Program& program, Index rank) {
  std::vector<Index> ranks;
  for (const PlanOp& op : program.calls[0].ops)
    if (const auto* r = std::get_if<Reduce>(&op.body); r && op.rank == rank && op.split == 0)
      for (const Region& source : r->sources) ranks.push_back(source.rank);
  return ranks;
}

// Ranks 2 and 3 take each other for 0 and 1, and themselves for what they are.
TEST(WorldFaults, TakePeersForRanksOfTheFirstGroup) {
  const Program program = program_of(parse_case("op=gemm_rs tp=2 world=4 tokens=4 fault=source_as_world_rank"));
  EXPECT_EQ(sources_of_rank(program, 1), (std::vector<Index>{0, 1}));
  EXPECT_EQ(sources_of_rank(program, 2), (std::vector<Index>{2, 1}));
  EXPECT_EQ(sources_of_rank(program, 3), (std::vector<Index>{0, 3}));
}

// Transformer Engine #2179 before anything runs: the second group writes where the first reads.
TEST(WorldFaults, OfTheExternalGatherAreHazards) {
  const Program program = program_of(parse_case(
      "op=row_linear pass=backward recipe=mxfp8 tp=2 world=4 tokens=6 in=40 out=40 fault=external_peer_as_world_rank"));
  const auto found = hazards(repeated(program));
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found.front().sentence, testing::AllOf(HasSubstr("rank 0, external: copy"),
                                                     HasSubstr("rank 2, external: copy"), HasSubstr("of rank 1")));
}

Index groups_with(const Program& program, const Program& correct) {
  std::set<Index> groups;
  for (std::size_t i = 0; i < program.calls[0].ops.size(); ++i)
    if (program.calls[0].ops[i] != correct.calls[0].ops[i])
      groups.insert(seat_of(correct.calls[0], correct.calls[0].ops[i].rank).group);
  return std::ssize(groups);
}

TEST(WorldFaults, AnyOtherStrikesEveryGroup) {
  const Case a_case = parse_case("tp=2 world=6 groups=permuted:2 fault=bias_not_advanced");
  EXPECT_EQ(groups_with(program_of(a_case), correct_program(a_case)), 3);
  const Fault& fault = fault_named("bias_not_advanced");
  EXPECT_THAT(fault.describe(correct_program(a_case).calls[0], 0), HasSubstr("in every group"));
}

TEST(WorldFaults, ShrinkToTheSmallestWorldThatShowsThem) {
  const auto smallest = [](const char* line) { return diagnose(parse_case(line)).shrunk.first(); };
  const Call of_world = smallest("tp=3 world=12 groups=permuted:1 tokens=9 in=9 out=9 fault=rank_list_wrong");
  EXPECT_EQ(of_world.tp, 2);
  EXPECT_EQ(of_world.world, 4);
  EXPECT_EQ(of_world.groups, Groups{});
  const Call of_group = smallest("tp=3 world=12 groups=permuted:1 tokens=9 in=9 out=9 fault=rank_missing");
  EXPECT_EQ(of_group.world, 0);
  EXPECT_EQ(of_group.groups, Groups{});
}

TEST(Worlds, AreDrawnNowAndThenInEveryWay) {
  std::map<Dealing, Index> drawn;
  Index late = 0;
  for (Index number = 0; number < 4000; ++number) {
    const Call call = draw_case(1, number, 0, {}).first();
    if (is_grouped(call)) ++drawn[call.groups.dealing];
    if (takes_rank(call.executor.kind) && static_cast<Index>(call.executor.seed) >= call.tp) ++late;
  }
  for (Dealing dealing : {Dealing::block, Dealing::strided, Dealing::offset, Dealing::permuted})
    EXPECT_GE(drawn[dealing], 20);
  EXPECT_GE(late, 10);
}

TEST(Worlds, HaveNoOrderOfTheirOwn) {
  try {
    orders_of(parse_case("tp=2 world=4").first());
    FAIL() << "accepted";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("leave world and groups out"));
  }
}

TEST(Worlds, AreWeighedBeforeTheyAreMade) {
  const Case one = parse_case("tp=72 splits=4"), eight = parse_case("tp=72 world=576 splits=4");
  EXPECT_NO_THROW(refuse_if_too_large(parse_case("tp=72 splits=4 calls=2")));
  EXPECT_THROW(refuse_if_too_large(parse_case("tp=72 world=576 splits=4 calls=2")), Refusal);
  EXPECT_GE(bytes_needed(eight), 7 * bytes_needed(one));
}

}  // namespace
}  // namespace lockstep
