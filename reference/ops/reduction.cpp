#include "reference/ops/reduction.h"

namespace lockstep {
namespace {

template <typename Number>
Number product_at(const Contributions<Number>& all, Index rank, Index i, Index j) {
  return all.products[static_cast<std::size_t>(rank)](i, j);
}

template <typename Number>
Number on_the_wire(const Contributions<Number>& all, Index rank, Index i, Index j, DType wire) {
  const Number value = all.with_bias(rank, j, product_at(all, rank, i, j));
  if (all.wire_scale.empty()) return round_to(wire, value);
  const Number scale = all.wire_scale[static_cast<std::size_t>(rank)];
  return dequantized(quantized(wire, value, scale), inverse(scale));
}

template <typename Number>
Number travelled(const Contributions<Number>& all, Index owner, Index i, Index j, const Declaration& declared) {
  const auto ranks = std::ssize(all.products);
  Number carried{};
  for (Index step = 1; step <= ranks; ++step) {
    const Index rank = (owner + step) % ranks;
    Number value = product_at(all, rank, i, j);
    if (step > 1) value = add(value, carried);
    value = all.with_bias(rank, j, value);
    carried = step < ranks ? round_to(declared.wire, value) : value;
  }
  return round_to(declared.output, carried);
}

}  // namespace

template <typename Number>
Number reduced(const Contributions<Number>& all, Index owner, Index i, Index j, const Declaration& declared) {
  if (declared.order == ReductionOrder::travelling) return travelled(all, owner, i, j, declared);
  const auto ranks = std::ssize(all.products);
  Number sum{};
  for (Index step = 0; step < ranks; ++step) {
    const Index rank = declared.order == ReductionOrder::by_rank ? step : (owner - step + ranks) % ranks;
    sum = add(sum, on_the_wire(all, rank, i, j, declared.wire));
  }
  return round_to(declared.output, sum);
}

template float reduced(const Contributions<float>&, Index, Index, Index, const Declaration&);
template Bounded reduced(const Contributions<Bounded>&, Index, Index, Index, const Declaration&);
template Symbol reduced(const Contributions<Symbol>&, Index, Index, Index, const Declaration&);

}  // namespace lockstep
