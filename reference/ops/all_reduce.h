// AllReduce, forward:   Y = the sum over the ranks of X_r [m, n], on every rank, rows reduced by their owner in
//                       ReduceScatter, in the declared order
//            backward:  dX = dY: what follows is the same on every rank
#pragma once

#include "reference/ops/reduce_scatter.h"

namespace lockstep {

template <typename Number>
RanksOf<Number> all_reduce(const Contributions<Number>& x, const Declaration& declared) {
  return all_gather(reduce_scatter(x, declared));
}

}  // namespace lockstep
