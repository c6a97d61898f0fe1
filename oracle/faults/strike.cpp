#include "oracle/faults/strike.h"

#include "oracle/inputs/program.h"
#include "reference/contract/hash.h"

#include <algorithm>
#include <charconv>

namespace lockstep {

Strike strike_of(const Case& a_case) {
  const std::string& text = a_case.first().fault;
  if (text.empty()) return {};
  const auto colon = text.find(':');
  Strike strike{&fault_named(text.substr(0, colon)), static_cast<Index>(mix(a_case.first().seed, 7) >> 1), false};
  strike.is_chosen = colon != text.npos;
  if (strike.is_chosen) std::from_chars(text.data() + colon + 1, text.data() + text.size(), strike.site);
  return strike;
}

Index most_sites(const Fault& fault, const Program& program) {
  Index most = 0;
  for (const Plan& plan : program.calls) most = std::max(most, fault.sites(plan));
  return most;
}

Program struck(Program program, const Strike& strike) {
  const Index most = strike.fault ? most_sites(*strike.fault, program) : 0;
  if (most == 0) return program;
  for (Plan& plan : program.calls)
    if (const Index sites = strike.fault->sites(plan); sites > 0)
      plan = strike.fault->apply(std::move(plan), strike.site % most % sites);
  return program;
}

bool is_struck(const Case& a_case) {
  const Program correct = correct_program(a_case);
  return struck(correct, strike_of(a_case)).calls != correct.calls;
}

Program program_of(const Case& a_case) { return struck(correct_program(a_case), strike_of(a_case)); }

}  // namespace lockstep
