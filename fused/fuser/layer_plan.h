// The plan of one call: a kernel by itself, or a layer through the fuser.
//
//   inputs    x, w; b (forward); dy (backward)
//   outputs   y (forward); dx, dw unless frozen, db where there is a bias (backward)
//   states    main_grad in place of dw; under delayed scaling scale.<role> and history.<role> of each role of the pass
//
// A call begins by waiting until every rank is done with the call before on the same Userbuffers, and ends by saying
// so.
#pragma once

#include "fused/fuser/fuse.h"
#include "fused/plan/plan.h"

namespace lockstep {

// The whole of a layer must be one overlapped operation, with at most a Bias after it.
Plan plan_of_layer(const Sequential& layer, const Problem& problem, Pass pass, const Overlap& overlap);
Plan plan_of_kernel(const Problem& problem, const Overlap& overlap);

}  // namespace lockstep
