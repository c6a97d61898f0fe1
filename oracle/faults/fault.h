// A fault: a mistake that people made, as a function Plan -> Plan.
//
// A fault may strike at several sites of a plan (which rank is lost, which two rows are exchanged); a plan with no site
// cannot have it. Two plans that differ may still mean the same: a fault applies to a case if it changes what reaches
// the output (the plan's provenance).
#pragma once

#include "fused/plan/plan.h"

#include <functional>
#include <span>

namespace lockstep {

// What the fault gets wrong:
//
//   offset        a pointer or index into a chunk          scale      a scale, an amax, an FP8 format
//   mapping       which rank or chunk is meant             precision  the type or order of a sum: not seen on exact
//   data contribution  missing, repeated                        layout     a stride, a transpose remainder     what is
//   left of a division               backward   gradients order         synchronisation: whether it shows depends on
//   timing, not on data
enum class FaultClass { offset, mapping, contribution, remainder, scale, precision, layout, backward, order };

inline constexpr FaultClass all_fault_classes[] = {
    FaultClass::offset,    FaultClass::mapping, FaultClass::contribution, FaultClass::remainder, FaultClass::scale,
    FaultClass::precision, FaultClass::layout,  FaultClass::backward,     FaultClass::order};

struct Fault {
  std::string_view id;
  FaultClass kind;
  std::string_view summary;  // what goes wrong, and where that was seen
  std::function<Index(const Plan&)> sites;
  std::function<Plan(Plan, Index site)> apply;
  std::function<std::string(const Plan& plan, Index site)> describe;  // of the plan without the fault
};

std::string_view name(FaultClass kind);

std::span<const Fault> fault_catalogue();
const Fault& fault_named(std::string_view id);  // refuses an unknown one, with the list

}  // namespace lockstep
