// One case run by a kernel under test, in this process, which has loaded it.
#pragma once

#include "oracle/judges/prepared.h"
#include "oracle/kernel/kernel_about.h"

namespace lockstep {

struct KernelRun {
  Observed observed;    // where it did not fail; a zero has the sign that is wanted
  std::string failure;  // what the library or the device said, and of which call; "": it ran
};

// A prepared case without what is kept of scales: that is no business of the kernel's.
Prepared for_kernel(Prepared prepared);
inline Prepared prepare_for_kernel(const Case& a_case) { return for_kernel(prepare(a_case)); }

KernelRun run_kernel(const KernelAbout& about, const Prepared& prepared);

}  // namespace lockstep
