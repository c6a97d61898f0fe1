// A fault: a mistake that people made, as a function Plan -> Plan.
//
// A fault may strike at several sites of a plan (which rank is lost, which two rows are exchanged); a plan with no site
// cannot have it. Two plans that differ may still mean the same: a fault applies to a case if it changes what reaches
// the output (the plan's provenance).
#pragma once

#include "fused/plan/plan.h"

#include <span>

namespace lockstep {

// What the fault gets wrong. `order` is synchronisation: whether it shows depends on timing, not on data.
enum class FaultClass { rank, split, bias, row, order };

struct Fault {
  std::string_view id;
  FaultClass kind;
  std::string_view summary;  // what goes wrong, and where that was seen
  Index (*sites)(const Plan&);
  Plan (*apply)(Plan, Index site);
  std::string (*describe)(const Plan& plan, Index site);  // of the plan without the fault
};

std::string_view name(FaultClass kind);

std::span<const Fault> fault_catalogue();
const Fault& fault_named(std::string_view id);  // refuses an unknown one, with the list

}  // namespace lockstep
