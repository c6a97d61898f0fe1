#include "reference/cuda/unfused.h"

#include "reference/contract/partition.h"
#include "reference/cuda/collectives.h"
#include "reference/cuda/gemm.h"

namespace lockstep {
namespace {

Tensor product(const Tensor& x, const RankInputs& inputs, std::size_t rank, DType output) {
  GemmInputs gemm{.input = x, .weight = inputs.w[rank]};
  if (!inputs.b.empty()) gemm.bias = inputs.b[rank];
  gemm.output = output;
  return gemm_on_device(gemm, false).output;
}

std::vector<DeviceBytes> contributions(const RankInputs& inputs, DType wire) {
  std::vector<DeviceBytes> all;
  for (std::size_t rank = 0; rank < inputs.x.size(); ++rank)
    all.emplace_back(std::span<const std::byte>(product(inputs.x[rank], inputs, rank, wire).bytes));
  return all;
}

Tensor sum_of_rows(const std::vector<DeviceBytes>& all, DType wire, DType type, const Range& rows, Index cols) {
  DeviceSum sum{{}, wire, rows.begin * cols, rows.size() * cols, nullptr, type};
  for (const DeviceBytes& of_rank : all) sum.parts.push_back(of_rank.data());
  const DeviceBytes out(static_cast<std::size_t>(byte_count(type, rows.size(), cols)));
  sum.out = out.data();
  sum_in_order(sum);
  return {type, rows.size(), cols, out.read()};
}

}  // namespace

std::vector<Tensor> gemm_reduce_scatter_on_device(const RankInputs& inputs, DType wire) {
  const auto all = contributions(inputs, wire);
  std::vector<Tensor> y;
  for (const Range& rows : partition(inputs.x.front().rows, std::ssize(inputs.x)))
    y.push_back(sum_of_rows(all, wire, inputs.x.front().dtype, rows, inputs.w.front().rows));
  return y;
}

std::vector<Tensor> gemm_all_reduce_on_device(const RankInputs& inputs, DType wire) {
  const auto all = contributions(inputs, wire);
  const Range rows{0, inputs.x.front().rows};
  return std::vector<Tensor>(inputs.x.size(),
                             sum_of_rows(all, wire, inputs.x.front().dtype, rows, inputs.w.front().rows));
}

std::vector<Tensor> all_gather_gemm_on_device(const RankInputs& inputs) {
  Tensor gathered{inputs.x.front().dtype, 0, inputs.x.front().cols, {}};
  for (const Tensor& x : inputs.x) {
    gathered.rows += x.rows;
    gathered.bytes.insert(gathered.bytes.end(), x.bytes.begin(), x.bytes.end());
  }
  std::vector<Tensor> y;
  for (std::size_t rank = 0; rank < inputs.x.size(); ++rank)
    y.push_back(product(gathered, inputs, rank, gathered.dtype));
  return y;
}

}  // namespace lockstep
