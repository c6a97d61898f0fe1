#include "oracle/mutants/trial.h"

#include "fused/plan/malformed.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/mutants/normal_form.h"

namespace lockstep {
namespace {

// The data that a mutant is shown, in this order: exact data first, then what shows roundings and the order of sums.
constexpr struct {
  Data data;
  std::uint64_t seed;
} draws[] = {{Data::planted, 1}, {Data::normal, 1},      {Data::planted, 2},
             {Data::cancel, 1},  {Data::log_uniform, 1}, {Data::normal, 2}};

Case drawn(const Case& a_case, Data data, std::uint64_t seed) {
  Call call = resolved(a_case.first());
  call.data = data, call.seed = seed;
  return {{call, call}};
}

Trial killed(std::string_view judge, Index cases = 1) { return {Fate::killed, judge, cases, 0}; }
Trial equivalent(std::string_view proof) { return {Fate::equivalent, proof, 0, 0}; }

bool hangs(const Program& program) {
  return !walk(program, first_in_order(), [](const Step&) {}).finished;
}

}  // namespace

Bench::Bench(const Case& a_case) {
  for (const auto& [data, seed] : draws) cases_.push_back(prepare(drawn(a_case, data, seed)));
  const Program& correct = cases_.front().correct;
  plan_ = correct.calls.front();
  ordered_ = ordered_conflicts(correct);
  provenance_ = provenance(correct).outputs;
}

Trial Bench::try_out(const Mutant& mutant) const {
  const Stopwatch stopwatch;
  Trial trial = judge(mutant);
  trial.seconds = stopwatch.seconds();
  return trial;
}

Trial Bench::judge(const Mutant& mutant) const {
  const Plan changed = mutated(plan_, mutant);
  if (malformed(changed)) return killed("plan");
  if (has_same_normal_form(plan_, changed, mutant)) return equivalent("normal form");
  const Program program = twice(changed);
  return only_reorders(plan_, changed, mutant) ? judge_order(program, mutant) : judge_values(program);
}

Trial Bench::judge_order(const Program& program, const Mutant& mutant) const {
  if (hangs(program)) return killed("hang");
  switch (order_kept(ordered_, program, mutant)) {
    case OrderKept::yes:
      return equivalent("same order");
    case OrderKept::left_to_timing:
      return killed("hazards");
    default:
      return judge_values(program);
  }
}

// With no hazard every executor gives the same bits, so one is enough.
Trial Bench::judge_values(const Program& program) const {
  if (const auto judge = seen_by(cases_.front(), program); !judge.empty()) return killed(judge);
  if (has_hazard(program)) return killed("hazards");
  if (provenance(program).outputs == provenance_) return equivalent("same provenance");
  for (std::size_t i = 1; i < cases_.size(); ++i)
    if (const auto judge = seen_by(cases_[i], program); !judge.empty()) return killed(judge, static_cast<Index>(i) + 1);
  return {};
}

std::string_view Bench::seen_by(const Prepared& prepared, const Program& program) const {
  const Observed observed = observe(prepared, program, Executor{});
  if (!observed.walked.finished) return "hang";
  if (memory_finding(observed)) return "memory";
  if (compare_outputs(prepared, observed).differing == 0) return "";
  return is_exact(prepared.a_case.first().data) ? "exact" : "declared";
}

}  // namespace lockstep
