// A failure of a kernel under test, made small and explained. Whatever the library does to its process, it does to a
// child: so a crash and a hang are made small too.
#pragma once

#include "oracle/campaign/subject.h"
#include "oracle/kernel/kernel_about.h"

#include <chrono>

namespace lockstep {

// Looks for a smaller case for 20 seconds at the most; the case found is given `case_limit`, smaller ones 2 seconds (on
// a device 10).
Failure diagnose_kernel(const KernelAbout& about, const CaseResult& result, std::chrono::milliseconds case_limit);

}  // namespace lockstep
