// The relations hold for every correct program, apply to a fair share of cases, and each is broken by what it is for.
#include "oracle/judges/relations.h"

#include "oracle/campaign/draw.h"
#include "oracle/campaign/parallel.h"
#include "oracle/faults/strike.h"
#include "property_tests/case_generator.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <map>
#include <numeric>
#include <thread>

namespace lockstep {
namespace {

Index threads() { return std::max(1u, std::thread::hardware_concurrency()); }

const Relation& relation_named(std::string_view name) {
  const auto& all = all_relations();
  return *std::ranges::find(all, name, &Relation::name);
}

// Any case, and any relation that applies to it.
RC_GTEST_PROP(Relations, HoldForCorrectPrograms, ()) {
  const Case a_case = *arbitrary_case();
  const auto names = relations_of(a_case);
  const Relation& relation = relation_named(names[*rc::gen::inRange<std::size_t>(0, 1000) % names.size()]);
  const RelationFinding finding = checked(relation, given(a_case, make_inputs(a_case), program_of), program_of);
  RC_LOG() << finding.relation << ": " << finding.sentence;
  RC_ASSERT(finding.holds());
}

std::string broken_by(const Case& a_case) {
  const auto finding = broken_relation(a_case, make_inputs(a_case), program_of);
  return finding.holds() ? "" : finding.relation + ": " + finding.sentence;
}

// One random case after the other, each of another cell, on planted and on normal data in turn.
void expect_to_hold(Index cases) {
  const auto& cells = all_cells();
  const Index stride = 4;  // so that a few are of all kinds; it has no factor in common with the number of cells
  ASSERT_EQ(std::gcd(stride, std::ssize(cells)), 1);
  parallel_for(cases, threads(), [&](Index i) {
    Fixed fixed{.one_group = true};
    fixed.cell = cells[static_cast<std::size_t>(i * stride % std::ssize(cells))];
    fixed.data = (i + i / std::ssize(cells)) % 2 == 0 ? Data::normal : Data::planted;
    const Case a_case = draw_case(11, i, 0, fixed);
    EXPECT_EQ(broken_by(a_case), "") << print(a_case);
  });
}

TEST(Relations, HoldInSomeCells) { expect_to_hold(120); }
TEST(Relations, NightlyHoldInAllCells) { expect_to_hold(20'000); }

// In how many of the cases something was compared.
std::map<std::string_view, Index> times_applied(Index cases) {
  std::map<std::string_view, Index> applied;
  for (Index number = 0; number < cases; ++number) {
    const Case a_case = draw_case(12, number, 0, {.one_group = true});
    if (is_mixed(a_case)) continue;
    const Given as_it_is = given(a_case, make_inputs(a_case), program_of);
    for (std::string_view name : relations_of(a_case))
      if (checked(relation_named(name), as_it_is, program_of).comparison.compared > 0) ++applied[name];
  }
  return applied;
}

// The least share of random cases, in percent; pass=both is most of the cells.
TEST(Relations, EachAppliesToItsShareOfRandomCases) {
  const std::map<std::string_view, Index> least{
      {"scale", 40},          {"negate", 90},  {"permute_tokens", 60}, {"permute_features", 70}, {"duplicate", 70},
      {"exchange_ranks", 80}, {"splits", 20},  {"aggregate", 60},      {"frozen", 20},           {"second_call", 40},
      {"fresh_call", 30},     {"adjoint", 15}, {"margin", 3},          {"history", 10},          {"main_grad", 1}};
  constexpr Index cases = 200;
  const auto applied = times_applied(cases);
  ASSERT_EQ(least.size(), all_relations().size());
  for (const auto& [name, percent] : least) {
    const Index times = applied.contains(name) ? applied.at(name) : 0;
    fmt::print("{:<17} applies to {:>3} of {} random cases\n", name, times, cases);
    EXPECT_GE(100 * times, percent * cases) << name;
  }
}

bool is_seen(const Relation& relation, const Case& a_case, const ProgramOf& of) {
  return relation.applies(a_case) && !checked(relation, given(a_case, make_inputs(a_case), of), of).holds();
}

// A fault of the catalogue, and a relation that sees it within 1000 random cases.
struct Seen {
  const char* relation;
  const char* fault;
};

class RelationSees : public testing::TestWithParam<Seen> {};

TEST_P(RelationSees, TheFault) {
  const Relation& relation = relation_named(GetParam().relation);
  Fixed fixed{.one_group = true};
  fixed.fault = GetParam().fault;
  for (Index number = 0; number < 1000; ++number) {
    const Case a_case = draw_case(13, number, 0, fixed);
    if (relation.applies(a_case) && is_struck(a_case) && is_seen(relation, a_case, program_of)) return;
  }
  FAIL() << "1000 random cases with " << GetParam().fault << " do not break " << GetParam().relation;
}

INSTANTIATE_TEST_SUITE_P(
    Relations, RelationSees,
    testing::Values(Seen{"splits", "bias_not_advanced"}, Seen{"duplicate", "bias_not_advanced"},
                    Seen{"permute_features", "bias_not_advanced"}, Seen{"scale", "scale_not_inverted"},
                    Seen{"scale", "wire_scale_missing"}, Seen{"permute_tokens", "rows_exchanged"},
                    Seen{"exchange_ranks", "rank_missing"}, Seen{"exchange_ranks", "bias_rank0_only"},
                    Seen{"adjoint", "weight_not_transposed"}, Seen{"adjoint", "bias_grad_not_reduced"},
                    Seen{"margin", "margin_ignored"}, Seen{"margin", "update_forgotten"},
                    Seen{"history", "other_amax_algorithm"}, Seen{"main_grad", "main_grad_overwritten"},
                    Seen{"frozen", "first_rows_for_all"}, Seen{"aggregate", "ring_row_order"}),
    [](const testing::TestParamInfo<Seen>& seen) { return std::string(seen.param.relation) + "_" + seen.param.fault; });

// Where nothing in the catalogue breaks a relation: program_of a case, changed by `edit`.
template <typename Edit>
ProgramOf edited(const Edit& edit) {
  return [edit](const Case& a_case) {
    Program program = program_of(a_case);
    for (Plan& plan : program.calls)
      for (PlanOp& op : plan.ops) edit(plan, op);
    return program;
  };
}

// The largest of the ranks' partial sums is not odd, the sum is.
TEST(Relations, NegateSeesWhatIsNotOdd) {
  const auto largest = edited([](const Plan&, PlanOp& op) {
    if (auto* reduce = std::get_if<Reduce>(&op.body)) reduce->reduction = Reduction::max;
  });
  EXPECT_TRUE(
      is_seen(relation_named("negate"), parse_case("op=gemm_rs tp=3 tokens=4 in=6 out=5 data=normal"), largest));
}

TEST(Relations, AdjointSeesWhatIsNeverWritten) {
  const Case a_case = parse_case("op=row_linear pass=both tp=2 tokens=4 in=4 out=6 data=planted");
  const Given whole = given(a_case, make_inputs(a_case), program_of);
  const Relation& adjoint = relation_named("adjoint");
  EXPECT_TRUE(checked(adjoint, whole, program_of).holds());
  for (const char* name : {"y", "dx", "dw", "db"}) {
    Given partly = whole;
    Tensor& tensor = partly.outputs[0].at(name)[1];
    tensor = poisoned(tensor.dtype, tensor.rows, tensor.cols);
    EXPECT_FALSE(checked(adjoint, partly, program_of).holds()) << name;
  }
}

// A Userbuffer that is not handed back: the next call writes to it while this one still reads.
TEST(Relations, CallsSeeAPanelThatIsOverwrittenTooEarly) {
  const auto hasty = edited([](const Plan& plan, PlanOp& op) {
    if (auto* wait = std::get_if<Wait>(&op.body);
        wait && plan.counters[static_cast<std::size_t>(wait->counter)].name == "done")
      wait->value = -1'000'000;
  });
  std::map<std::string_view, Index> seen;
  for (int seed = 0; seed < 50; ++seed) {
    const Case a_case = parse_case(
        fmt::format("op=gemm_rs tp=3 tokens=6 in=6 out=6 data=normal splits=2 executor=adversary:{} calls=3", seed));
    for (std::string_view name : {"second_call", "fresh_call"})
      seen[name] += is_seen(relation_named(name), a_case, hasty) ? 1 : 0;
  }
  EXPECT_GE(seen["second_call"], 5);  // of 50 orders
  EXPECT_GE(seen["fresh_call"], 5);
}

// A change that the schedule cannot take is a finding, not a crash.
TEST(Relations, AChangedCaseThatHangsIsAFinding) {
  const Case a_case = parse_case("op=gemm_rs tp=2 tokens=4 in=4 out=4 splits=2");
  const ProgramOf hangs_if_changed = [&](const Case& asked) {
    Program program = program_of(asked);
    for (PlanOp& op : program.calls[0].ops)
      if (auto* wait = std::get_if<Wait>(&op.body); wait && asked != a_case) wait->value += 1;
    return program;
  };
  const auto finding = broken_relation(a_case, make_inputs(a_case), hangs_if_changed);
  ASSERT_FALSE(finding.holds());
  EXPECT_EQ(finding.relation, "splits");
  EXPECT_THAT(finding.sentence, testing::HasSubstr("hangs"));
}

TEST(Relations, AFindingNamesTheRelationAndThePlaces) {
  const Case a_case = parse_case("op=gemm_rs tp=2 tokens=4 in=4 out=6 splits=2 data=normal fault=bias_not_advanced");
  const RelationFinding finding =
      checked(relation_named("splits"), given(a_case, make_inputs(a_case), program_of), program_of);
  EXPECT_THAT(finding.sentence, testing::HasSubstr("splits"));
  EXPECT_EQ(finding.comparison.compared, 4 * 6);
  EXPECT_GT(finding.comparison.differing, 0);
  EXPECT_EQ(finding.comparison.outputs, std::set<std::string>{"y"});
}

// Of random cases that a fault strikes, in how many each relation is broken.
std::map<std::string_view, Index> times_seen(const Fault& fault, Index cases, Index& struck) {
  std::map<std::string_view, Index> seen;
  Fixed fixed{.one_group = true};
  fixed.fault = fault.id;
  for (Index number = 0; struck < cases && number < 20 * cases; ++number) {
    const Case a_case = draw_case(14, number, 0, fixed);
    if (is_mixed(a_case) || !is_struck(a_case)) continue;
    ++struck;
    const Given as_it_is = given(a_case, make_inputs(a_case), program_of);
    for (std::string_view name : relations_of(a_case))
      if (!checked(relation_named(name), as_it_is, program_of).holds()) ++seen[name];
  }
  return seen;
}

TEST(Relations, NightlySeeMostOfTheCatalogue) {
  std::vector<Fault> faults;
  for (const Fault& fault : fault_catalogue())
    if (!is_of_the_program(fault.kind)) faults.push_back(fault);
  std::vector<std::string> rows(faults.size());
  std::atomic<Index> faults_seen = 0;
  parallel_for(std::ssize(faults), threads(), [&](Index i) {
    const Fault& fault = faults[static_cast<std::size_t>(i)];
    Index struck = 0;
    const auto seen = times_seen(fault, 200, struck);
    if (!seen.empty()) ++faults_seen;
    std::string& row = rows[static_cast<std::size_t>(i)];
    row = fmt::format("{:<24}{:>5}", fault.id, struck);
    for (const Relation& relation : all_relations())
      row += fmt::format("{:>7}", seen.contains(relation.name) ? seen.at(relation.name) : 0);
  });
  fmt::print("cases struck; of those, seen by:");
  for (const Relation& relation : all_relations()) fmt::print(" {}", relation.name);
  fmt::print("\n{}\n{} of {} faults are seen by a relation\n", fmt::join(rows, "\n"), faults_seen.load(),
             faults.size());
  EXPECT_GE(faults_seen, std::ssize(faults) - 2);
}

}  // namespace
}  // namespace lockstep
