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

// What the fault gets wrong. Of the first row what is computed, which values show:
//
//   offset        a pointer or index into a chunk      remainder   what is left of a division, the tail of a vector
//   mapping       which rank or chunk is meant         layout      a stride, a transpose
//   contribution  missing, repeated                    backward    gradients
//   scale         a scale, an amax, an FP8 format      overflow    an offset or a count in too few bits
//   zero          empty and single rows                dispatch    a kernel that does not run, or runs for another case
//   precision     the type or order of a sum: exact data does not show it
//
// of the second when it is done and where, which depends on timing, so that the program itself has to show it:
//
//   order         signals and waits                    reuse       a buffer handed back too early, shared, too small
//   stream        a lane that is not forked or joined  hang        what is waited for never comes
//   bounds        outside a buffer
enum class FaultClass {
  offset,
  mapping,
  contribution,
  remainder,
  scale,
  precision,
  layout,
  backward,
  overflow,
  zero,
  dispatch,
  order,
  reuse,
  stream,
  hang,
  bounds
};

inline constexpr FaultClass all_fault_classes[] = {
    FaultClass::offset,   FaultClass::mapping,   FaultClass::contribution, FaultClass::remainder,
    FaultClass::scale,    FaultClass::precision, FaultClass::layout,       FaultClass::backward,
    FaultClass::overflow, FaultClass::zero,      FaultClass::dispatch,     FaultClass::order,
    FaultClass::reuse,    FaultClass::stream,    FaultClass::hang,         FaultClass::bounds};

// Whether the program itself shows it, whatever the data and the timing, and values only now and then.
constexpr bool is_of_the_program(FaultClass kind) { return kind >= FaultClass::order; }

struct FaultName {
  std::string_view id;
  FaultClass kind;
  int number;               // of the class of public reports (oracle/campaign/report_weights.h)
  std::string_view source;  // the public reports that it restates, or "Userbuffers: .." for what is in use
  std::string_view summary;
};

struct Fault : FaultName {
  std::function<Index(const Plan&)> sites;
  std::function<Plan(Plan, Index site)> apply;
  std::function<std::string(const Plan& plan, Index site)> describe;  // of the plan without the fault
};

std::string_view name(FaultClass kind);

std::span<const Fault> fault_catalogue();
const Fault& fault_named(std::string_view id);  // refuses an unknown one, with the list

}  // namespace lockstep
