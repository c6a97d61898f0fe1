// Whether a case fits this machine, before anything of its size is allocated.
#pragma once

#include "reference/contract/case.h"

namespace lockstep {

// Bytes that judging the case takes at the most, about; 2^62 where it would be more.
Index bytes_needed(const Case& a_case);
// Bytes that this process may still take: what the machine has available, or its control group allows.
Index bytes_available();

// In a sentence with both figures. So too a schedule of more operations than can be kept.
void refuse_if_too_large(const Case& a_case);

}  // namespace lockstep
