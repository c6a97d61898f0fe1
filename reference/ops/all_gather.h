// AllGather, forward:   Y = the rows of X_0, of X_1, .. on every rank
//            backward:  dX_q = rows of q of the sum over the ranks of dY_r: a reduce_scatter
#pragma once

#include "reference/ops/ranks.h"

namespace lockstep {

template <typename Number>
RanksOf<Number> all_gather(const RanksOf<Number>& x) {
  MatrixOf<Number> all(0, x.front().cols);
  for (const MatrixOf<Number>& shard : x) {
    all.rows += shard.rows;
    all.values.insert(all.values.end(), shard.values.begin(), shard.values.end());
  }
  return RanksOf<Number>(x.size(), all);
}

}  // namespace lockstep
