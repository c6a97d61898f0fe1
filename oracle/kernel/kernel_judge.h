// The verdict on a kernel under test: that it ran (judge `kernel`), wrote nothing but its outputs (`memory`), and gave
// the right values (exact, bound, freivalds: prepared.h).
#pragma once

#include "oracle/campaign/subject.h"
#include "oracle/kernel/kernel_run.h"

namespace lockstep {

// All three run the library in this process.
bool kernel_supports(const KernelAbout& about, const Case& a_case);
Verdict judge_kernel(const Prepared& prepared, const KernelRun& run);
CaseResult run_kernel_case(const KernelAbout& about, const Case& a_case);

}  // namespace lockstep
