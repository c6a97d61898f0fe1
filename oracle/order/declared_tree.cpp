// The tree of a model, from what reference/numerics says of it: tensor_core.h a step, accumulator.h promotion,
// split_k.h the splits. A sum shows its order where the mask swallows all other terms together.
#include "oracle/order/models.h"

#include "reference/numerics/split_k.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

using Nodes = std::vector<Index>;

// As the tensor core sees it: a subnormal counts with the smallest exponent.
int exponent_of(DType type, float value) { return std::max(std::ilogb(value), 1 - format(type).bias); }

// To nearest even, below a mask that is a power of two: half an ulp there is 2^-25 of it.
bool shows_in_float(const Masks& masks, Index n) {
  return static_cast<float>(n) * masks.one <= std::ldexp(masks.mask, -25);
}

// Each term, and all before them together, are truncated to multiples of the unit.
bool shows_in_steps(const Accumulator& core, DType type, const Masks& masks, Index n) {
  const int unit = exponent_of(type, masks.mask) + exponent_of(type, masks.one) - core.fraction_bits;
  return static_cast<float>(n - 1) * masks.one * masks.one < std::ldexp(1.0f, unit);
}

struct Declaring {
  const Accumulator& accumulator;
  const std::vector<Range>& terms;
  bool in_float, in_steps;  // whether the order shows
  SumTree tree{};

  Nodes terms_in(const Range& k) {
    Nodes some;
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (k.contains(terms[i].begin)) some.push_back(tree.add_term(static_cast<Index>(i)));
    return some;
  }

  // Sums of `each` of K, added to what there is.
  Nodes steps(const Range& k, Index each, bool show) {
    if (!show) return terms_in(k);
    Nodes so_far;
    for (Index begin = k.begin; begin < k.end; begin += each) {
      for (Index term : terms_in({begin, std::min(begin + each, k.end)})) so_far.push_back(term);
      if (so_far.size() > 1) so_far = {tree.add_sum(so_far)};
    }
    return so_far;
  }

  // Each part from zero, then added to those before, in float.
  Nodes in_turn(const std::vector<Nodes>& parts) {
    Nodes so_far;
    for (const Nodes& part : parts) {
      so_far.insert(so_far.end(), part.begin(), part.end());
      if (in_float && so_far.size() > 1) so_far = {tree.add_sum(so_far)};
    }
    return so_far;
  }

  Nodes of_split(const Range& k) {
    if (accumulator.summation != Summation::tensor_core) return steps(k, 1, in_float);
    if (accumulator.promote_every == 0) return steps(k, accumulator.products, in_steps);
    std::vector<Nodes> blocks;
    for (Index begin = k.begin; begin < k.end; begin += accumulator.promote_every)
      blocks.push_back(
          steps({begin, std::min(begin + accumulator.promote_every, k.end)}, accumulator.products, in_steps));
    return in_turn(blocks);
  }
};

}  // namespace

SumTree declared_tree(const Accumulator& accumulator, Index split_k, DType type, Index k,
                      const std::vector<Range>& terms) {
  const Index n = std::ssize(terms);
  const Masks masks = masks_for(type);
  Declaring how{accumulator, terms, shows_in_float(masks, n), shows_in_steps(accumulator, type, masks, n)};
  std::vector<Nodes> splits;
  for (const Range& range : split_k_ranges(k, split_k, split_k_tile(type))) splits.push_back(how.of_split(range));
  const Nodes parts = how.in_turn(splits);
  how.tree.add_sum(parts, true);
  return std::move(how.tree);
}

}  // namespace lockstep
