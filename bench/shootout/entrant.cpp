#include "bench/shootout/entrant.h"

#include "bench/shootout/inputs_of.h"
#include "fused/plan/malformed.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/expected.h"
#include "oracle/judges/observe.h"
#include "oracle/judges/stopwatch.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep::shootout {
namespace {

// Not the scales and histories that are kept: no peer looks at them.
FlatOutputs looked_at(const NamedTensors& outputs) {
  FlatOutputs values;
  for (const char* name : {"y", "dx", "dw", "db"})
    if (const auto found = outputs.find(name); found != outputs.end()) values[name] = flat(found->second);
  return values;
}

FlatOutputs with_zero_for_nan(FlatOutputs outputs) {
  for (auto& [name, values] : outputs)
    std::ranges::replace_if(
        values, [](float value) { return std::isnan(value); }, 0.0f);
  return outputs;
}

// A program that would reach outside its memory, hangs or is rejected is seen.
bool sees(const Entrant& entrant, const Program& program) {
  if (malformed(program)) return true;
  const FlatOutputs got = outputs_of(entrant, program, entrant.inputs);
  return got.empty() || !accepts(entrant, got) || !accepts(entrant, with_zero_for_nan(got));
}

}  // namespace

Entrant enter(const Rule& rule, std::uint64_t seed) {
  const Stopwatch stopwatch;
  Entrant entrant;
  entrant.rule = &rule, entrant.a_case = case_of(rule);
  const Call& call = entrant.a_case.first();
  NamedTensors inputs = draw_inputs(rule, call, seed);
  const bool needs_double = rule.reference == Reference::in_double || call.fp8_wire;
  if (needs_double) entrant.want = unfused_in_double(call, inputs);
  add_scales(inputs, rule, call, entrant.want["y"]);
  entrant.inputs = {std::move(inputs)};
  entrant.like = expected(entrant.a_case, entrant.inputs);
  if (rule.reference == Reference::unfused) entrant.want = looked_at(entrant.like[0]);
  std::erase_if(entrant.want, [](const auto& output) { return output.second.empty(); });
  entrant.correct = correct_program(entrant.a_case);
  entrant.provenance = provenance(entrant.correct).outputs;
  if (sees(entrant, entrant.correct))
    refuse("rule {}: it rejects the correct plan of {}, so it is not stated right", rule.name, print(entrant.a_case));
  entrant.seconds = stopwatch.seconds();
  return entrant;
}

FlatOutputs outputs_of(const Entrant& entrant, const Program& program, const std::vector<NamedTensors>& inputs) {
  const Observed observed = observe(program, inputs, entrant.like, Executor{});
  return observed.walked.finished ? looked_at(observed.outputs[0]) : FlatOutputs{};
}

bool accepts(const Entrant& entrant, const FlatOutputs& got) {
  return std::ranges::all_of(entrant.want, [&](const auto& output) {
    return entrant.rule->acceptance.accepts(got.at(output.first), output.second);
  });
}

std::string_view name(Mark mark) {
  constexpr std::string_view names[] = {"seen", "not seen", "not applicable"};
  return names[static_cast<std::size_t>(mark)];
}

Trial try_fault(const Entrant& entrant, const Fault& fault, std::uint64_t seed) {
  const Stopwatch stopwatch;
  Trial trial;
  const Index sites = most_sites(fault, entrant.correct);
  if (sites > 0) {
    trial.site = Random(seed, sites).between(0, sites - 1);
    const Program program = struck(entrant.correct, {&fault, trial.site, true});
    const bool runs = !malformed(program);
    if (!runs || provenance(program).outputs != entrant.provenance)
      trial.mark = sees(entrant, program) ? Mark::seen : Mark::not_seen;
  }
  trial.seconds = stopwatch.seconds();
  return trial;
}

}  // namespace lockstep::shootout
