#include "oracle/judges/blindness.h"

#include "fused/host/provenance.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/random.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

// A fault of the class that the plan can have, and a site of it.
Strike draw(FaultClass kind, const Plan& plan, Random& random) {
  std::vector<const Fault*> possible;
  for (const Fault& fault : fault_catalogue())
    if (fault.kind == kind && fault.sites(plan) > 0) possible.push_back(&fault);
  if (possible.empty()) return {};
  const Fault* fault = possible[static_cast<std::size_t>(random.between(0, std::ssize(possible) - 1))];
  return {fault, random.between(0, fault->sites(plan) - 1)};
}

bool shows(const Prepared& prepared, const Program& program) {
  const Observed observed = observe(program, prepared.a_case, prepared.inputs, Executor{});
  return compare_outputs(prepared, observed).differing > 0;
}

bool applies(const Prepared& prepared, const Program& program) {
  return provenance(program).outputs != provenance(prepared.correct).outputs;
}

}  // namespace

std::optional<std::string> blind_to(const Prepared& prepared) {
  Random random(prepared.a_case.first().seed, 0xB11Du);
  for (FaultClass kind : {FaultClass::rank, FaultClass::split, FaultClass::bias, FaultClass::row}) {
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
