#include "reference/ops/reduce_scatter.h"

#include "reference/contract/partition.h"

namespace lockstep {

Ranks reduce_scatter(const Ranks& x, const Declaration& declared) {
  const auto ranks = static_cast<Index>(x.size());
  Ranks y;
  for (Index q = 0; q < ranks; ++q) {
    const Range rows = part(x[0].rows, ranks, q);
    Matrix shard(rows.size(), x[0].cols);
    for (Index i = 0; i < shard.rows; ++i)
      for (Index j = 0; j < shard.cols; ++j) {
        float sum = 0;
        for (const Matrix& contribution : x) sum += round_to(declared.wire, contribution(rows.begin + i, j));
        shard(i, j) = round_to(declared.output, sum);
      }
    y.push_back(std::move(shard));
  }
  return y;
}

}  // namespace lockstep
