// What wrong values of a kernel under test say. Both run the library in this process.
#pragma once

#include "oracle/diagnosis/explain.h"
#include "oracle/kernel/kernel_about.h"

namespace lockstep {

// The readings and patterns of the case on exact data; none where it cannot have them.
Explanation read_values(const KernelAbout& about, const Case& a_case);

// Whether a fault of the catalogue gives the same bits: `faults`, `kind` and `sentence`. Only exact data have bits that
// are known.
Explanation compare_with_faults(const KernelAbout& about, const Case& a_case);

}  // namespace lockstep
