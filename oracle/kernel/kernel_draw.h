// Random cases that the interface can say and the library's table has, of equal share for every cell of those.
#pragma once

#include "oracle/campaign/draw.h"
#include "oracle/kernel/kernel_about.h"

namespace lockstep {

// As draw_case, within what the library takes. `turn` draws other shapes, `attempt` other data for the same. None: that
// turn has no case. What the library's `supports` says of it is not asked.
std::optional<Case> draw_for_kernel(const KernelAbout& about, std::uint64_t seed, Index number, Index turn,
                                    Index attempt, const Fixed& fixed);

}  // namespace lockstep
