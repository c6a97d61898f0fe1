#include "oracle/diagnosis/bisect.h"

#include "fused/plan/print.h"
#include "oracle/diagnosis/changes.h"
#include "oracle/diagnosis/wrong_plan.h"
#include "oracle/hazards/hazards.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

bool is_of_the_plan(const Verdict& verdict) {
  return verdict.judge == "plan" || verdict.judge == "hang" || verdict.judge == "hazards";
}

bool is_of_values(const Verdict& verdict) { return verdict.judge != "provenance" && verdict.judge != "relations"; }

void name_operation(Bisected& found, const Program& program, const Step& step) {
  const Plan& plan = plan_at(program, step);
  const PlanOp& op = op_at(program, step);
  found.operation = fmt::format("call {}, {}", step.call, title(plan, op));
  found.does = details(plan, op);
}

// A finding that needs no run: its operation, and the one that the correct plan has otherwise.
void by_order(Bisected& found, const Prepared& prepared, const Program& program) {
  found.culprit = Culprit::order;
  const auto changed = changed_operations(prepared.correct, program);
  const auto hazard = hazards(repeated(program), 1);
  if (!hazard.empty() && !hazard[0].operations.empty() && found.verdict.judge != "plan") {
    Step step = hazard[0].operations.front();
    step.call %= std::ssize(program.calls);
    name_operation(found, program, step);
  }
  if (!changed.empty()) found.operation = changed.front(), found.does = "";
  found.sentence = found.verdict.finding;
}

std::string described(const Program& program, const WrongOperation& wrong) {
  const Plan& plan = plan_at(program, wrong.step);
  return fmt::format(
      "it does not give what its inputs imply: {} of {} elements of {} of rank {} are wrong, the first at row {} "
      "column {} of what it writes: got {}, which should be {}",
      wrong.wrong, wrong.of, plan.buffers[static_cast<std::size_t>(wrong.region.buffer)].name, wrong.region.rank,
      wrong.row, wrong.col, decode(wrong.type, wrong.got), decode(wrong.type, wrong.must));
}

Index differing(const Prepared& prepared, const Observed& observed) {
  if (value_judge(prepared.a_case) == "relations" || !observed.walked.finished) return 0;
  return compare_outputs(prepared, observed).differing;
}

void by_operation(Bisected& found, const Prepared& prepared, const Program& program, const WrongOperation& wrong,
                  const BisectOptions& options) {
  found.culprit = Culprit::operation;
  name_operation(found, program, wrong.step);
  const Index left = differing(prepared, put_right(prepared, program, wrong.step, options.effect_of));
  found.sentence =
      described(program, wrong) +
      (left == 0 ? "; with its output put right the case agrees"
                 : fmt::format("; with its output put right {} elements still differ: it is not alone", left));
}

void by_plan(Bisected& found, const Prepared& prepared, const Program& program, const WrongPlan& wrong) {
  found.culprit = Culprit::plan;
  found.is_missing = wrong.is_missing;
  name_operation(found, wrong.is_missing ? prepared.correct : program, wrong.step);
  found.sentence = wrong.is_missing
                       ? "every operation does what it says, but this one of the correct plan is missing, or does "
                         "something else"
                       : "every operation does what it says, but something else reaches this one, or it writes "
                         "elsewhere, than in the correct plan; all before it is as it should be";
}

// The operation that writes the first element that differs, of one group or of the world.
void by_writer(Bisected& found, const Prepared& prepared, const Program& program, const Comparison& comparison) {
  found.culprit = Culprit::schedule;
  found.sentence =
      "every operation does what it says, and the plan is what its schedule makes: the schedule itself is wrong";
  if (comparison.first.empty()) return;
  const Difference& first = comparison.first.front();
  const Call& call = prepared.a_case.calls[static_cast<std::size_t>(first.call)];
  const RankLists groups = groups_of(call);
  Index seat = first.rank;
  for (const auto& ranks : groups)
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (ranks[i] == first.rank) seat = static_cast<Index>(i);
  const Origin origin = origin_of(problem_of(call), first.output, seat);
  const Index cols =
      prepared.wanted[static_cast<std::size_t>(first.call)].at(first.output)[static_cast<std::size_t>(first.rank)].cols;
  const Index element = (first.row - origin.row) * cols + first.col - origin.col;
  if (const auto writer = writer_of(program, first.call, first.output, first.rank, element)) {
    name_operation(found, program, *writer);
    found.sentence += "; this operation writes the first wrong element";
  }
}

bool is_the_same(const Verdict& verdict, const Prepared& prepared, const Observed& observed) {
  if (verdict.judge == "memory") return memory_finding(observed) == verdict.finding;
  if (!is_of_values(verdict)) return true;
  return differing(prepared, observed) == verdict.comparison.differing;
}

}  // namespace

std::string_view name(Culprit culprit) {
  constexpr std::string_view names[] = {"none", "operation", "plan", "order", "schedule"};
  return names[static_cast<std::size_t>(culprit)];
}

Bisected bisect(const Prepared& prepared, const Program& program, const BisectOptions& options) {
  Bisected found;
  found.verdict = options.judged(prepared, program);
  if (!found.verdict.failed()) return found;
  if (is_of_the_plan(found.verdict)) return by_order(found, prepared, program), found;
  const Looked looked = look_on(prepared, program, options.effect_of);
  found.looked_at = looked.operations;
  found.is_same_failure = is_the_same(found.verdict, prepared, looked.observed);
  if (looked.wrong)
    by_operation(found, prepared, program, *looked.wrong, options);
  else if (const auto wrong = wrong_plan(prepared.correct, program))
    by_plan(found, prepared, program, *wrong);
  else
    by_writer(found, prepared, program, found.verdict.comparison);
  return found;
}

}  // namespace lockstep
