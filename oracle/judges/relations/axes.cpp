#include "oracle/judges/relations/axes.h"

#include <utility>

namespace lockstep {
namespace {

// The picks of a rank's part of the axis, counted from its beginning.
Picks local(const Picks& picks, const Range& range) {
  Picks part;
  for (Index i = range.begin; !picks.empty() && i < range.end; ++i)
    part.push_back(picks[static_cast<std::size_t>(i)] - range.begin);
  return part;
}

Index pick(const Picks& picks, Index i) { return picks.empty() ? i : picks[static_cast<std::size_t>(i)]; }

Tensor taken(const Tensor& from, const Picks& rows, const Picks& cols) {
  Tensor to = from;
  for (Index i = 0; i < to.rows; ++i)
    for (Index j = 0; j < to.cols; ++j) set_code(to, i, j, code_at(from, pick(rows, i), pick(cols, j)));
  return to;
}

Tensor picked(const Problem& p, std::string_view name, Index rank, const Tensor& tensor, const Axes& axes) {
  const Picks features = local(axes.features, p.out_of(rank));
  if (name == "x" || name == "dx") return taken(tensor, local(axes.tokens, p.x_rows(rank)), {});
  if (name == "y" || name == "dy") return taken(tensor, local(axes.tokens, p.y_rows(rank)), features);
  if (name == "w" || name == "dw" || name == "main_grad") return taken(tensor, features, {});
  return (name == "b" || name == "db") && tensor.cols > 0 ? taken(tensor, {}, features) : tensor;
}

}  // namespace

std::vector<Range> blocks_of_tokens(const Call& call) { return partition(call.tokens, call.tp); }

std::vector<Range> blocks_of_features(const Call& call) {
  const Index parts = call.is_row() ? 1 : call.tp;
  return call.recipe.kind == RecipeKind::block128 ? blocks_of(call.out, parts, block_of(call.recipe))
                                                  : partition(call.out, parts);
}

// One cycle through each block (Sattolo).
Picks moved(const std::vector<Range>& blocks, Random random) {
  Picks picks;
  for (const Range& block : blocks) {
    for (Index i = block.begin; i < block.end; ++i) picks.push_back(i);
    for (Index last = block.end - 1; last > block.begin; --last)
      std::swap(picks[static_cast<std::size_t>(last)],
                picks[static_cast<std::size_t>(random.between(block.begin, last - 1))]);
  }
  return picks;
}

Picks doubled(const std::vector<Range>& blocks, Random random) {
  Picks picks;
  for (const Range& block : blocks) {
    const Index half = block.begin + (block.size() + 1) / 2;
    for (Index i = block.begin; i < block.end; ++i)
      picks.push_back(i < half ? i : random.between(block.begin, half - 1));
  }
  return picks;
}

std::vector<NamedTensors> picked(const Case& a_case, const std::vector<NamedTensors>& tensors,
                                 const std::vector<Axes>& axes) {
  return each_tensor(tensors, [&](std::size_t which, const std::string& name, Index rank, const Tensor& tensor) {
    return picked(problem_of(a_case.calls[which]), name, rank, tensor, axes[which]);
  });
}

}  // namespace lockstep
