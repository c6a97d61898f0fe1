#include "oracle/judges/expected.h"

#include "reference/ops/sequential.h"

namespace lockstep {
namespace {

Ranks decode(const std::vector<Tensor>& tensors) {
  Ranks values;
  for (const Tensor& tensor : tensors) values.push_back(lockstep::decode(tensor));
  return values;
}

// The symbols of the rows of an input of `rows` x `cols`.
std::vector<Symbol> rows_of(std::string_view buffer, Index which, Index rank, Index rows, Index cols) {
  std::vector<Symbol> all, row(static_cast<std::size_t>(cols));
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < cols; ++k) row[static_cast<std::size_t>(k)] = leaf(buffer, which, rank, i * cols + k);
    all.push_back(sequence(row));
  }
  return all;
}

}  // namespace

Declaration declared(const Call& call) {
  return {is_exact(call.data) ? Accumulation::exact : Accumulation::f32, call.wire, call.dtype};
}

std::vector<Tensor> expected(const Call& call, const Inputs& inputs) {
  const Ranks y = forward(layer_of(call), decode(inputs.x), {decode(inputs.w), decode(inputs.b)}, declared(call));
  std::vector<Tensor> outputs;
  for (const Matrix& shard : y) outputs.push_back(encode(call.dtype, shard));
  return outputs;
}

std::vector<std::vector<Symbol>> expected_provenance(const Call& call, Index which) {
  const Problem problem = problem_of(call);
  std::vector<Symbol> sums(static_cast<std::size_t>(problem.tokens * problem.out), zero_symbol);
  for (Index rank = 0; rank < problem.tp; ++rank) {
    const Index k = problem.in_of(rank).size();
    const auto x = rows_of("x", which, rank, problem.tokens, k), w = rows_of("w", which, rank, problem.out, k);
    std::size_t element = 0;
    for (const Symbol& x_row : x)
      for (Index j = 0; j < problem.out; ++j, ++element) {
        const Symbol product = dot(x_row, w[static_cast<std::size_t>(j)], k);
        const Symbol biased = problem.bias ? add(product, leaf("b", which, rank, j)) : product;
        sums[element] = add(sums[element], round_to(problem.wire, biased));
      }
  }
  std::vector<std::vector<Symbol>> outputs;
  for (Index rank = 0; rank < problem.tp; ++rank) {
    auto& shard = outputs.emplace_back();
    const Range rows = problem.tokens_of(rank);
    for (Index e = rows.begin * problem.out; e < rows.end * problem.out; ++e)
      shard.push_back(round_to(problem.dtype, sums[static_cast<std::size_t>(e)]));
  }
  return outputs;
}

}  // namespace lockstep
