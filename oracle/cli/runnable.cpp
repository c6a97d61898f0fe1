#include "oracle/cli/runnable.h"

#include "oracle/campaign/memory_limit.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

void check_site(const Case& a_case) {
  const Strike strike = strike_of(a_case);
  if (!strike.fault) return;
  const Index sites = most_sites(*strike.fault, correct_program(a_case));
  if (sites == 0) refuse("fault={}: this case has no place for it", a_case.first().fault);
  if (strike.is_chosen && strike.site >= sites)
    refuse("fault={}: this case has {} site{} for it, counted from 0", a_case.first().fault, sites,
           sites == 1 ? "" : "s");
}

}  // namespace

void expect_fault(const std::string& fault) {
  if (!fault.empty()) fault_named(fault.substr(0, fault.find(':')));
}

void expect_runnable(const Case& a_case) {
  expect_fault(a_case.first().fault);
  refuse_if_too_large(a_case);
  check_site(a_case);
}

}  // namespace lockstep
