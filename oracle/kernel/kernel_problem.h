// A case as a kernel under test gets it.
#pragma once

#include "oracle/kernel/kernel_about.h"
#include "oracle/kernel/lockstep_kernel.h"

namespace lockstep {

lockstep_problem kernel_problem(const KernelAbout& about, const Call& call);

// Judged without a declared order of sums: within bounds, unless its data are exact; on the library's kind of memory.
Case for_kernel(const KernelAbout& about, Case a_case);

// What of a case the interface cannot say, or the library does not have, in one sentence; empty: nothing. What is left
// is for the library's `supports` to say.
std::string why_not_for_kernel(const KernelAbout& about, const Case& a_case);

// Of a size that a kernel takes in multiples: of which, for a call of so many ranks.
Index tokens_multiple(const KernelAbout& about, const Call& call);
Index in_multiple(const KernelAbout& about, const Call& call);
Index out_multiple(const KernelAbout& about, const Call& call);

}  // namespace lockstep
