// NCCL's collectives on whole numbers, every element: over all devices that there are, and over two or more.
#include "reference/cuda/nccl/collectives.h"

#include "oracle/inputs/random.h"
#include "reference/contract/cuda/status.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

int devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::vector<Tensor> whole_numbers(int ranks, Index rows, Index cols) {
  std::vector<Tensor> all;
  for (int rank = 0; rank < ranks; ++rank) {
    Matrix values(rows, cols);
    Random random(3, rank);
    for (float& value : values.values) value = static_cast<float>(random.between(-9, 9));
    all.push_back(encode(DType::bf16, values));
  }
  return all;
}

Matrix sum_of(const std::vector<Tensor>& all) {
  Matrix sum(all.front().rows, all.front().cols);
  for (const Tensor& tensor : all) {
    const Matrix values = decode(tensor);
    for (std::size_t e = 0; e < sum.values.size(); ++e) sum.values[e] += values.values[e];
  }
  return sum;
}

void check_collectives(int ranks) {
  const NcclRanks nccl(ranks);
  const Index rows = 6 * ranks, cols = 17;
  const auto inputs = whole_numbers(ranks, rows, cols);
  const Tensor sum = encode(DType::bf16, sum_of(inputs));
  const auto gathered = nccl.all_gather(inputs), reduced = nccl.all_reduce(inputs),
             scattered = nccl.reduce_scatter(inputs);
  for (int rank = 0; rank < ranks; ++rank) {
    const auto r = static_cast<std::size_t>(rank), share = sum.bytes.size() / static_cast<std::size_t>(ranks);
    EXPECT_EQ(reduced[r], sum);
    EXPECT_TRUE(std::equal(scattered[r].bytes.begin(), scattered[r].bytes.end(),
                           sum.bytes.begin() + static_cast<Index>(r * share),
                           sum.bytes.begin() + static_cast<Index>((r + 1) * share)));
    for (std::size_t from = 0; from < inputs.size(); ++from)
      EXPECT_TRUE(std::equal(inputs[from].bytes.begin(), inputs[from].bytes.end(),
                             gathered[r].bytes.begin() + static_cast<Index>(from * inputs[from].bytes.size())));
  }
}

TEST(Nccl, OverEveryDeviceThatThereIs) {
  if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason;
  check_collectives(devices());
}

TEST(Nccl, BetweenDevices) {
  if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason;
  if (devices() < 2) GTEST_SKIP() << "this machine has one device; two or more are needed";
  for (int ranks = 2; ranks <= devices(); ++ranks) check_collectives(ranks);
}

TEST(Nccl, OverMoreDevicesThanThereAreIsRefused) {
  if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason;
  EXPECT_THROW(NcclRanks(devices() + 1), DeviceError);
}

}  // namespace
}  // namespace lockstep
