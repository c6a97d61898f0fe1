#include "oracle/judges/blindness.h"

#include "fused/host/provenance.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/random.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

// A fault of the class that the plan can have, and a site of it: the first that has one from a random place of the
// catalogue on.
Strike draw(FaultClass kind, const Plan& plan, Random& random) {
  const auto all = fault_catalogue();
  const Index start = random.between(0, std::ssize(all) - 1);
  for (Index i = 0; i < std::ssize(all); ++i) {
    const Fault& fault = all[static_cast<std::size_t>((start + i) % std::ssize(all))];
    if (fault.kind != kind) continue;
    if (const Index sites = fault.sites(plan); sites > 0) return {&fault, random.between(0, sites - 1), true};
  }
  return {};
}

// Timing decides whether a fault of `order` shows, and exact data never shows how a sum is rounded, other data now and
// then: these two are provenance's to see.
bool can_show(FaultClass kind) { return kind != FaultClass::order && kind != FaultClass::precision; }

bool shows(const Prepared& prepared, const Program& program) {
  const Observed observed = observe(prepared, program, Executor{});
  return compare_outputs(prepared, observed).differing > 0;
}

bool applies(const Prepared& prepared, const Program& program) {
  return provenance(program).outputs != provenance(prepared.correct).outputs;
}

}  // namespace

std::optional<std::string> blind_to(const Prepared& prepared) {
  Random random(prepared.a_case.first().seed, 0xB11Du);
  for (FaultClass kind : all_fault_classes) {
    if (!can_show(kind)) continue;
    const Index which = random.between(0, std::ssize(prepared.correct.calls) - 1);
    const Strike strike = draw(kind, prepared.correct.calls[static_cast<std::size_t>(which)], random);
    if (!strike.fault) continue;
    const Program program = struck(prepared.correct, strike);
    if (!shows(prepared, program) && applies(prepared, program))
      return fmt::format("{}:{}", strike.fault->id, strike.site);
  }
  return {};
}

}  // namespace lockstep
