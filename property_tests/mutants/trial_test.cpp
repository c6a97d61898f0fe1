// A mutant that is called equivalent is, whatever the order and the data; one that is killed by a judge gives it
// reason.
#include "oracle/mutants/trial.h"

#include "fused/plan/builder.h"
#include "fused/plan/malformed.h"
#include "oracle/mutants/configurations.h"
#include "oracle/mutants/normal_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

Bench any_bench() {
  const auto cases = mutated_cases(*rc::gen::element<Index>(2, 3));
  return Bench(shown_cases(*rc::gen::elementOf(cases)));
}

// Whether every judge of values agrees, in this order of execution.
bool agrees(const Prepared& prepared, const Program& program, const Executor& executor) {
  const Observed observed = observe(prepared, program, executor);
  return observed.walked.finished && !memory_finding(observed) && compare_outputs(prepared, observed).differing == 0;
}

// Some mutants of the bench with this fate and, where it says one, this proof or judge.
std::vector<Mutant> some(const Bench& bench, Fate fate, std::string_view by = "") {
  const auto all = mutants_of(bench.plan());
  const auto start = static_cast<std::size_t>(*rc::gen::inRange<Index>(0, std::ssize(all)));
  std::vector<Mutant> found;
  for (std::size_t i = 0; i < all.size() && found.size() < 3; ++i) {
    const Mutant& mutant = all[(start + 17 * i) % all.size()];
    if (const Trial trial = bench.try_out(mutant); trial.fate == fate && (by.empty() || trial.by == by))
      found.push_back(mutant);
  }
  return found;
}

RC_GTEST_PROP(Equivalent, GivesTheSameBitsInEveryOrderWithAnyData, ()) {
  const Bench bench = any_bench();
  const auto proof = *rc::gen::element<std::string_view>("normal form", "same order", "same provenance");
  for (const Mutant& mutant : some(bench, Fate::equivalent, proof))
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const Prepared& prepared = bench.cases()[seed % bench.cases().size()];
      const Program program = twice(mutated(prepared.correct.calls[0], mutant));
      if (!agrees(prepared, program, Executor{ExecutorKind::adversary, seed}))
        RC_FAIL(describe(bench.plan(), mutant) + " with " + print(prepared.a_case));
    }
}

// The two other proofs, where they can be asked too.
RC_GTEST_PROP(Equivalent, ByItsNormalFormOrOrderHasTheSameProvenance, ()) {
  const Bench bench = any_bench();
  const auto proof = *rc::gen::element<std::string_view>("normal form", "same order");
  const Provenance correct = provenance(twice(bench.plan()));
  for (const Mutant& mutant : some(bench, Fate::equivalent, proof)) {
    const Program program = twice(mutated(bench.plan(), mutant));
    if (mutant.path.starts_with("sources")) continue;  // a symbol does not know that the larger of a and a is a
    RC_ASSERT(provenance(program).outputs == correct.outputs);
    RC_ASSERT(!has_hazard(program));
  }
}

RC_GTEST_PROP(Killed, HasAReason, ()) {
  const Bench bench = any_bench();
  for (const Mutant& mutant : some(bench, Fate::killed)) {
    const Trial trial = bench.try_out(mutant);
    const Prepared& prepared = bench.cases()[static_cast<std::size_t>(trial.cases) - 1];
    const Plan changed = mutated(prepared.correct.calls[0], mutant);
    RC_ASSERT(malformed(changed).has_value() == (trial.by == "plan"));
    if (trial.by == "plan") continue;
    RC_ASSERT(hangs(twice(changed)) == (trial.by == "hang"));
    if (hangs(twice(changed))) continue;
    const bool is_seen = trial.by == "hazards" ? has_hazard(twice(changed)) : !agrees(prepared, twice(changed), {});
    RC_ASSERT(is_seen);
  }
}

RC_GTEST_PROP(Mutants, OfASchedulesPlanItselfHaveNoHazard, ()) { RC_ASSERT(!has_hazard(twice(any_bench().plan()))); }

Call pipeline() {
  Call call;
  call.tp = 3, call.tokens = 7, call.in = 11, call.out = 15, call.splits = 3;
  return call;
}

Trial trial_of(const Bench& bench, const std::function<bool(const PlanOp&, const Mutant&)>& is_it) {
  for (const Mutant& mutant : mutants_of(bench.plan()))
    if (is_it(bench.plan().ops[static_cast<std::size_t>(mutant.op)], mutant)) return bench.try_out(mutant);
  throw std::runtime_error("no such mutant");
}

template <typename Kind>
auto dropped(const Plan& plan, const std::string& counter = "") {
  return [&plan, counter](const PlanOp& op, const Mutant& mutant) {
    const auto* body = std::get_if<Kind>(&op.body);
    if (!body || mutant.path != "operation" || mutant.by != Operator::drop) return false;
    if constexpr (requires { body->counter; })
      return plan.counters[static_cast<std::size_t>(body->counter)].name.ends_with(counter);
    return true;
  };
}

auto changed(std::string path, Operator by) {
  return [path, by](const PlanOp&, const Mutant& mutant) { return mutant.path == path && mutant.by == by; };
}

TEST(Trial, EachJudgeKillsWhatItIsFor) {
  const Bench bench(shown_cases({{pipeline()}}));
  EXPECT_EQ(trial_of(bench, changed("a.values.cols", Operator::plus_one)).by, "plan");
  EXPECT_EQ(trial_of(bench, dropped<Signal>(bench.plan())).by, "hang");
  EXPECT_EQ(trial_of(bench, dropped<Wait>(bench.plan(), "done")).by, "hazards");
  EXPECT_EQ(trial_of(bench, dropped<Gemm>(bench.plan())).by, "exact");
  EXPECT_EQ(trial_of(bench, changed("bias", Operator::drop)).by, "exact");
  EXPECT_EQ(trial_of(bench, changed("accumulate", Operator::plus_one)).by, "declared");
}

TEST(Trial, EachProofProvesWhatItIsFor) {
  const Bench bench(shown_cases({{pipeline()}}));
  EXPECT_EQ(trial_of(bench, changed("bias.ld", Operator::plus_one)).by, "normal form");
  EXPECT_EQ(trial_of(bench, changed("sources[0]", Operator::swap)).by, "same provenance");
  const auto repeated_wait = [](const PlanOp& op, const Mutant& mutant) {
    return std::holds_alternative<Wait>(op.body) && mutant.kind == FieldClass::order &&
           mutant.by == Operator::duplicate;
  };
  EXPECT_EQ(trial_of(bench, repeated_wait).by, "same order");
}

// Where the largest value stands is luck, so that peaks are put everywhere in turn.
TEST(Trial, AnAmaxThatLeavesSomethingOutIsSeen) {
  const Bench bench(shown_cases(parse_case("op=ag_gemm recipe=current tp=3 tokens=7 in=11 out=15")));
  Index tried = 0;
  for (const Mutant& mutant : mutants_of(bench.plan())) {
    const PlanBody& body = bench.plan().ops[static_cast<std::size_t>(mutant.op)].body;
    const auto* reduce = std::get_if<Reduce>(&body);
    if (!std::holds_alternative<Amax>(body) && !(reduce && reduce->reduction == Reduction::max)) continue;
    EXPECT_NE(bench.try_out(mutant).fate, Fate::survives) << describe(bench.plan(), mutant);
    ++tried;
  }
  EXPECT_GT(tried, 100);
}

// A call of two ranks that touches no memory: rank r signals the counter of rank `counter_of(r)`, and more if asked.
template <typename CounterOf>
Plan signals(const CounterOf& counter_of, bool waits_aside = false) {
  PlanBuilder plan(2);
  const Index main = plan.lane("main"), side = plan.lane("side");
  const auto counters = plan.counter_of_each_rank("ready");
  for (Index rank = 0; rank < 2; ++rank) {
    const Index begin = plan.add({Begin{}, rank, main});
    if (waits_aside) plan.add({Wait{counters[0], 0}, rank, side, -1, {begin}});
    const Index counter = counters[static_cast<std::size_t>(counter_of(rank))];
    plan.add({Signal{counter}, rank, main});
    plan.add({Wait{counter, 1}, rank, main});
    plan.add({End{}, rank, main});
  }
  return plan.take();
}

Index own(Index rank) { return rank; }
Index of_rank_0(Index) { return 0; }

TEST(Hazards, AreTwoWritersOfACounter) {
  EXPECT_FALSE(has_hazard(twice(signals(own))));
  EXPECT_TRUE(has_hazard(twice(signals(of_rank_0))));
}

TEST(Hazards, IsAnOperationThatEndDoesNotWaitFor) { EXPECT_TRUE(has_hazard(twice(signals(own, true)))); }

// Rank 1 writes rank 0's output, which rank 0 may have handed over by then.
TEST(Hazards, IsMemoryThatIsTheCallersAgain) {
  PlanBuilder plan(2);
  const Index main = plan.lane("main");
  const auto one = [](Index) { return Shape{1, 1}; };
  const auto x = plan.matrices("x", BufferKind::input, DType::f32, one);
  const auto y = plan.matrices("y", BufferKind::output, DType::f32, one);
  for (Index rank = 0; rank < 2; ++rank) {
    plan.add({Begin{}, rank, main});
    if (rank == 1) plan.add({Copy{x[1], y[0]}, rank, main});
    plan.add({End{}, rank, main});
  }
  EXPECT_TRUE(has_hazard(twice(plan.take())));
}

}  // namespace
}  // namespace lockstep
