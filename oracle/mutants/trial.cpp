#include "oracle/mutants/trial.h"

#include "fused/plan/malformed.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/mutants/normal_form.h"
#include "oracle/mutants/peaks.h"

namespace lockstep {
namespace {

// What a mutant is shown, in this order: exact data in the types of the configuration; then floats all the way, where
// no rounding hides the order of a sum; then what else shows roundings; then peaks, on each rank in turn (peaks.h).
constexpr struct {
  Data data;
  std::uint64_t seed;
  bool in_floats;
} draws[] = {{Data::planted, 1, false}, {Data::normal, 1, true},      {Data::normal, 1, false},
             {Data::planted, 2, false}, {Data::log_uniform, 1, true}, {Data::cancel, 1, false},
             {Data::normal, 2, true},   {Data::log_uniform, 2, true}};

Case drawn(const Case& a_case, Data data, std::uint64_t seed, bool in_floats) {
  Call call = resolved(a_case.first());
  call.data = data, call.seed = seed;
  if (in_floats) call.dtype = call.wire = DType::f32;
  return {{call, call}};
}

Trial killed(std::string_view judge, Index cases = 1) { return {Fate::killed, judge, cases, 0}; }
Trial equivalent(std::string_view proof) { return {Fate::equivalent, proof, 0, 0}; }

}  // namespace

std::vector<Prepared> shown_cases(const Case& a_case) {
  std::vector<Prepared> cases;
  for (const auto& [data, seed, in_floats] : draws) cases.push_back(prepare(drawn(a_case, data, seed, in_floats)));
  const Prepared with_normal = prepare(drawn(a_case, Data::normal, 3, false));
  for (Index rank = 0; rank < a_case.first().tp; ++rank) cases.push_back(with_peaks(with_normal, rank));
  return cases;
}

Bench::Bench(std::vector<Prepared> cases) : cases_(std::move(cases)) {
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
  return only_reorders(plan_, changed, mutant) ? judge_order(program, mutant) : judge_values(program, mutant);
}

Trial Bench::judge_order(const Program& program, const Mutant& mutant) const {
  if (hangs(program)) return killed("hang");
  if (has_hazard(program)) return killed("hazards");
  return keeps_order(ordered_, program, mutant) ? equivalent("same order") : judge_values(program, mutant);
}

// With no hazard every executor gives the same bits, so one is enough.
Trial Bench::judge_values(const Program& program, const Mutant& mutant) const {
  if (const auto judge = seen_by(cases_.front(), program); !judge.empty()) return killed(judge);
  if (has_hazard(program)) return killed("hazards");
  if (provenance(program).outputs == provenance_) return equivalent("same provenance");
  for (std::size_t i = 1; i < cases_.size(); ++i) {
    const Program same_mistake = twice(mutated(cases_[i].correct.calls.front(), mutant));
    if (const auto judge = seen_by(cases_[i], same_mistake); !judge.empty())
      return killed(judge, static_cast<Index>(i) + 1);
  }
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
