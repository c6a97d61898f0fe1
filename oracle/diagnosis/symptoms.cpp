#include "oracle/diagnosis/symptoms.h"

#include "fused/plan/malformed.h"
#include "oracle/hazards/hazards.h"

#include <algorithm>

namespace lockstep {
namespace {

std::vector<std::string> sentences(const Program& program) {
  constexpr std::size_t most = 32;
  std::vector<std::string> all;
  for (Hazard& hazard : hazards(repeated(program), most)) all.push_back(std::move(hazard.sentence));
  return all;
}

// A plan that is malformed cannot be run, and one that hangs gives nothing.
bool runs(const Verdict& of_plan) { return of_plan.judge != "plan" && of_plan.judge != "hang"; }

// Real threads, and processes, give other bits each time where operations race.
std::vector<NamedTensors> bits(const Prepared& prepared, const Program& program) {
  const Executor& asked = prepared.a_case.first().executor;
  const bool is_real = asked.kind == ExecutorKind::threads || asked.kind == ExecutorKind::mpi;
  return observe(prepared, program, is_real ? Executor{} : asked).outputs;
}

}  // namespace

Symptoms::Symptoms(const Program& program) : of_plan_(judge_plan(program)) {
  if (of_plan_.failed()) hazards_ = sentences(program);
  if (runs(of_plan_)) symbols_ = provenance(program).outputs;
}

Symptoms::Symptoms(const Prepared& prepared, const Program& program) : Symptoms(program) {
  if (!runs(of_plan_) || prepared.a_case.first().executor.kind == ExecutorKind::provenance) return;
  prepared_ = &prepared;
  bits_ = bits(prepared, program);
}

bool Symptoms::same_bits(const Program& other) const { return !prepared_ || bits(*prepared_, other) == bits_; }

// Whether they fail in the same way, as far as it is seen at once.
bool Symptoms::like(const Program& other) const {
  if (malformed(other).has_value() != (of_plan_.judge == "plan")) return false;
  if (of_plan_.judge == "hang") return hangs(other);
  return !runs(of_plan_) || same_bits(other);
}

bool Symptoms::also_of(const Program& other) const {
  if (!like(other)) return false;
  const Verdict of_other = judge_plan(other);
  if (of_other.judge != of_plan_.judge || of_other.finding != of_plan_.finding) return false;
  if (runs(of_plan_) && provenance(other).outputs != symbols_) return false;
  return !of_plan_.failed() || sentences(other) == hazards_;
}

}  // namespace lockstep
