#include "reference/ops/bias.h"

namespace lockstep {

Ranks bias(const Ranks& x, const Ranks& b) {
  Ranks y = x;
  for (std::size_t rank = 0; rank < y.size(); ++rank)
    for (Index i = 0; i < y[rank].rows; ++i)
      for (Index j = 0; j < y[rank].cols; ++j) y[rank](i, j) = x[rank](i, j) + b[rank](0, j);
  return y;
}

}  // namespace lockstep
