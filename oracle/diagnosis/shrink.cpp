#include "oracle/diagnosis/shrink.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lockstep {
namespace {

constexpr std::array sizes{&Call::tp, &Call::tokens, &Call::in, &Call::out, &Call::splits};
using Box = std::array<Index, sizes.size()>;

void resize(Call& call, Index Call::*size, Index to) {
  size == &Call::tp ? set_group_size(call, to) : void(call.*size = to);
}

Case with_all(Case a_case, const std::function<void(Call&)>& change) {
  for (Call& call : a_case.calls) change(call);
  return a_case;
}

std::vector<Case> fewer_calls(const Case& a_case) {
  std::vector<Case> candidates;
  if (a_case.calls.size() == 1) return candidates;
  for (const Call& call : a_case.calls) candidates.push_back({{call}});
  for (std::size_t drop = 0; drop < a_case.calls.size(); ++drop) {
    candidates.push_back(a_case);
    candidates.back().calls.erase(candidates.back().calls.begin() + static_cast<std::ptrdiff_t>(drop));
  }
  return candidates;
}

std::vector<Case> simpler_words(const Case& a_case) {
  const auto plain_recipe = [](Call& c) { c.recipe = {}, c.fp8_wire = false; };
  const auto one_pass = [](Pass pass) { return [pass](Call& c) { c.pass = c.pass == Pass::both ? pass : c.pass; }; };
  const auto short_history = [](Call& c) {
    if (c.recipe.kind == RecipeKind::delayed) c.recipe.history = 1, c.recipe.margin = 0;
  };
  // Blocks make lengths long, so there a weight's gradient is many elements.
  const auto fewest_outputs = [](Call& c) {
    if (has_block_scales(c.recipe) && c.is_backward())
      c.frozen = true, c.dgrad = c.is_row() ? c.dgrad : Method::by_default;
    else if (c.is_row())
      c.frozen = false;
    c = resolved(c);
  };
  return {with_all(a_case, [](Call& c) { c.world = 0, c.groups = {}; }),
          with_all(a_case, [](Call& c) { c.groups = {}; }),
          with_all(a_case, [](Call& c) { c.world = std::min(c.world, 2 * c.tp); }),
          with_all(a_case, [](Call& c) { c.op = c.is_row() ? Kernel::gemm_rs : Kernel::ag_gemm; }),
          with_all(a_case, one_pass(Pass::forward)),
          with_all(a_case, one_pass(Pass::backward)),
          with_all(a_case, plain_recipe),
          with_all(a_case, [](Call& c) { c.fp8_wire = false; }),
          with_all(a_case, [](Call& c) { c.accumulate.reset(); }),
          with_all(a_case, fewest_outputs),
          with_all(a_case, [](Call& c) { c.aggregate = false; }),
          with_all(a_case, [](Call& c) { c.first_gemm = false; }),
          with_all(a_case, short_history),
          with_all(a_case, [](Call& c) { c.arithmetic = Arithmetic::f32; }),
          with_all(a_case, [](Call& c) { c.sample = 0; }),
          with_all(a_case,
                   [](Call& c) { c.executor = c.executor.kind == ExecutorKind::provenance ? c.executor : Executor{}; }),
          with_all(a_case, [](Call& c) { c.counter = 0; }),
          with_all(a_case, [](Call& c) { c.dtype = c.wire = DType::bf16; }),
          with_all(a_case, [](Call& c) { c.dtype = DType::bf16; }),
          with_all(a_case, [](Call& c) { c.wire = DType::bf16; }),
          with_all(a_case, [](Call& c) { c.bias = BiasPlacement::none; }),
          with_all(a_case, [](Call& c) { c.seed = 0; })};
}

// Of these calls, the size at its least, halved, and one less than the first of them has.
void add_smaller(std::vector<Case>& candidates, const Case& a_case, Index Call::*size,
                 const std::vector<std::size_t>& in) {
  const Index now = a_case.calls[in.front()].*size;
  for (Index smaller : {Index{1}, now / 2, now - 1}) {
    if (smaller < 1 || smaller >= now) continue;
    candidates.push_back(a_case);
    for (std::size_t call : in) resize(candidates.back().calls[call], size, smaller);
  }
}

bool is_the_same_in_all(const Case& a_case, Index Call::*size) {
  return std::ranges::all_of(a_case.calls, [&](const Call& call) { return call.*size == a_case.first().*size; });
}

// One size of one call; then, where all calls have the same, of all, since some failures need that. All have one tp.
std::vector<Case> smaller_sizes(const Case& a_case) {
  std::vector<Case> candidates;
  std::vector<std::size_t> all(a_case.calls.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (auto size : sizes)
    if (size == &Call::tp)
      add_smaller(candidates, a_case, size, all);
    else
      for (std::size_t which : all) add_smaller(candidates, a_case, size, {which});
  for (auto size : sizes)
    if (size != &Call::tp && all.size() > 1 && is_the_same_in_all(a_case, size))
      add_smaller(candidates, a_case, size, all);
  return candidates;
}

bool still_fails(const Case& before, const Case& candidate, const FailsTheSame& fails) {
  return candidate != before && fails(candidate);
}

Case greedily(Case failing, const FailsTheSame& fails) {
  for (bool progress = true; progress;) {
    progress = false;
    for (auto candidates_of : {fewer_calls, simpler_words, smaller_sizes})
      for (const Case& candidate : candidates_of(failing))
        if (still_fails(failing, candidate, fails)) {
          failing = candidate;
          progress = true;
          break;
        }
  }
  return failing;
}

// All boxes within `most`, the smallest sum of sizes first.
std::vector<Box> boxes_within(const Box& most) {
  std::vector<Box> boxes{{}};
  for (std::size_t side = 0; side < most.size(); ++side) {
    std::vector<Box> wider;
    for (Box box : boxes)
      for (box[side] = 1; box[side] <= most[side]; ++box[side]) wider.push_back(box);
    boxes = std::move(wider);
  }
  const auto sum = [](const Box& box) { return std::accumulate(box.begin(), box.end(), Index{0}); };
  std::ranges::stable_sort(boxes, {}, sum);
  return boxes;
}

Case exhaustively(const Case& failing, const FailsTheSame& fails) {
  constexpr Index cheap = 2000;
  constexpr std::uint64_t seeds = 4;
  Box most{};
  Index boxes = 1;
  for (std::size_t side = 0; side < sizes.size(); ++side) {
    most[side] = failing.first().*sizes[side];
    boxes = std::min(cheap + 1, boxes * most[side]);
  }
  if (failing.calls.size() > 1 || boxes > cheap) return failing;
  for (const Box& box : boxes_within(most))
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      Case candidate = failing;
      for (std::size_t side = 0; side < sizes.size(); ++side) resize(candidate.calls[0], sizes[side], box[side]);
      candidate.calls[0].seed = seed;
      if (box == most) return failing;
      if (still_fails(failing, candidate, fails)) return candidate;
    }
  return failing;
}

}  // namespace

Case shrink(const Case& failing, const FailsTheSame& fails) { return exhaustively(greedily(failing, fails), fails); }

}  // namespace lockstep
