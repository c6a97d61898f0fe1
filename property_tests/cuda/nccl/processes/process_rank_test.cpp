// Collectives between processes on whole numbers, every element: over NCCL where each process has a device of its own,
// else through the host.
#include "reference/cuda/nccl/process_rank.h"

#include "oracle/inputs/random.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace lockstep {
namespace {

struct Numbers {
  int rank = 0, size = 1;
  Index rows = 0, cols = 17;
  std::vector<Matrix> of_ranks{};
  Matrix sum;

  Numbers() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rows = 6 * size, sum = Matrix(rows, cols);
    for (int of = 0; of < size; ++of) {
      Matrix& values = of_ranks.emplace_back(rows, cols);
      Random random(3, of);
      for (std::size_t e = 0; e < values.values.size(); ++e)
        sum.values[e] += values.values[e] = static_cast<float>(random.between(-9, 9));
    }
  }
  Tensor mine() const { return encode(DType::bf16, of_ranks[static_cast<std::size_t>(rank)]); }
};

void check(const ProcessRank& ranks) {
  const Numbers numbers;
  const Tensor all = ranks.all_gather(numbers.mine()), sum = encode(DType::bf16, numbers.sum);
  EXPECT_EQ(all.rows, numbers.rows * numbers.size);
  for (int of = 0; of < numbers.size; ++of) {
    const Tensor want = encode(DType::bf16, numbers.of_ranks[static_cast<std::size_t>(of)]);
    EXPECT_TRUE(std::ranges::equal(
        want.bytes, std::span(all.bytes).subspan(static_cast<std::size_t>(of) * want.bytes.size(), want.bytes.size())));
  }
  EXPECT_EQ(ranks.all_reduce(numbers.mine()), sum);
  const Tensor part = ranks.reduce_scatter(numbers.mine());
  EXPECT_EQ(part.rows, 6);
  EXPECT_TRUE(std::ranges::equal(
      part.bytes,
      std::span(sum.bytes).subspan(static_cast<std::size_t>(numbers.rank) * part.bytes.size(), part.bytes.size())));
  if (numbers.size > 1) {
    EXPECT_THROW(ranks.reduce_scatter(encode(DType::bf16, Matrix(numbers.rows + 1, 3))), Refusal);
  }
}

TEST(Processes, GatherAndReduce) { check(ProcessRank(MPI_COMM_WORLD)); }

TEST(NcclProcesses, GatherAndReduceWhereEachHasADevice) {
  const ProcessRank ranks(MPI_COMM_WORLD);
  if (!ranks.why_not_nccl().empty()) GTEST_SKIP() << ranks.why_not_nccl();
  check(ranks);
}

}  // namespace
}  // namespace lockstep
