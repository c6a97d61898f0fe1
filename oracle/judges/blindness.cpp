#include "oracle/judges/blindness.h"

#include "fused/host/provenance.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "oracle/inputs/random.h"
#include "oracle/judges/relations.h"

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

// What depends on timing the program itself shows, and exact data never shows how a sum is rounded, other data now and
// then: provenance sees that.
bool can_show(FaultClass kind) { return !is_of_the_program(kind) && kind != FaultClass::precision; }

bool breaks_a_relation(const Prepared& prepared, const Strike& strike) {
  return !broken_relation(prepared.a_case, prepared.inputs, [&](const Case& asked) {
            return struck(correct_program(asked), strike);
          }).holds();
}

bool shows(const Prepared& prepared, const Program& program) {
  const Observed observed = observe(prepared, program, Executor{});
  return compare_outputs(prepared, observed).differing > 0;
}

bool applies(const Prepared& prepared, const Program& program) {
  return provenance(program).outputs != provenance(prepared.correct).outputs;
}

}  // namespace

// Relations see what they see: a case counts where they would have seen one of the faults.
std::optional<std::string> blind_to(const Prepared& prepared) {
  Random random(prepared.a_case.first().seed, 0xB11Du);
  const bool by_relations = value_judge(prepared.a_case) == "relations";
  std::optional<std::string> unseen;
  for (FaultClass kind : all_fault_classes) {
    if (!can_show(kind)) continue;
    const Index which = random.between(0, std::ssize(prepared.correct.calls) - 1);
    const Strike strike = draw(kind, prepared.correct.calls[static_cast<std::size_t>(which)], random);
    if (!strike.fault) continue;
    const Program program = struck(prepared.correct, strike);
    const bool is_shown = by_relations ? breaks_a_relation(prepared, strike) : shows(prepared, program);
    if (by_relations && is_shown) return {};
    if (is_shown || !applies(prepared, program)) continue;
    unseen = fmt::format("{}:{}", strike.fault->id, strike.site);
    if (!by_relations) return unseen;
  }
  return unseen;
}

}  // namespace lockstep
