#include "oracle/diagnosis/hypotheses.h"

#include "reference/ops/quantize.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

// The scales of an operand in rows of blocks along K, blocks starting at each shard.
struct BlockScales {
  std::string name;
  bool of_a = true;
  std::vector<Range> blocks;
  std::vector<std::size_t> shard;  // of each block
  Matrix inverse{};                // [rows of the operand, blocks]

  Index row_of(const Element& e) const { return of_a ? e.row : e.col; }
};

Matrix columns(const Matrix& m, const Range& range) {
  return matrix_of<float>(m.rows, range.size(), [&](Index i, Index k) { return m(i, range.begin + k); });
}

BlockScales scales_of(const Recipe& recipe, const Terms& terms, bool of_a) {
  const std::string& name = of_a ? terms.a_name : terms.b_name;
  const Matrix& operand = of_a ? terms.a : terms.b;
  BlockScales scales{name, of_a, {}, {}};
  std::vector<Matrix> parts;
  for (std::size_t s = 0; s < terms.shards.size(); ++s) {
    const Quantized<float> q =
        quantize(recipe, name == "dY" ? Role::dy : Role::x, columns(operand, terms.shards[s]), {});
    for (const Range& block : q.k_blocks) {
      scales.blocks.push_back({terms.shards[s].begin + block.begin, terms.shards[s].begin + block.end});
      scales.shard.push_back(s);
    }
    parts.push_back(q.scale_inv);
  }
  scales.inverse = Matrix(operand.rows, std::ssize(scales.blocks));
  Index column = 0;
  for (const Matrix& part : parts)
    for (Index c = 0; c < part.cols; ++c, ++column)
      for (Index i = 0; i < operand.rows; ++i) scales.inverse(i, column) = part(i, c);
  return scales;
}

// What is added to an element whose block b takes the scale at (row, block) of the operand.
double change(const Terms& terms, const BlockScales& scales, const Element& e, Index b, Index row, Index block) {
  const double factor = static_cast<double>(scales.inverse(row, block)) / scales.inverse(scales.row_of(e), b);
  return factor == 1 ? 0
                     : (factor - 1) * dot(terms.a, e.row, terms.b, e.col, scales.blocks[static_cast<std::size_t>(b)]);
}

void add_exchanged_blocks(Hypotheses& all, DType type, const Terms& terms, const std::shared_ptr<BlockScales>& scales) {
  for (Index b = 0; b < std::ssize(scales->blocks); ++b)
    for (Index c = 0; c < std::ssize(scales->blocks); ++c) {
      const auto shard = scales->shard[static_cast<std::size_t>(b)];
      if (b == c || scales->shard[static_cast<std::size_t>(c)] != shard) continue;
      all.push_back(says(type, 5, fmt::format("the scale of K block {} of {} used for block {}", c, scales->name, b),
                         [&terms, scales, b, c](const Element& e) {
                           return e.want + change(terms, *scales, e, b, scales->row_of(e), c);
                         }));
    }
}

// A chunk with the block scales of the same row of another rank's chunk.
void add_other_chunks(Hypotheses& all, DType type, const Terms& terms, const std::shared_ptr<BlockScales>& scales,
                      Index ranks) {
  const Index rows = scales->inverse.rows;
  for (Index chunk = 0; chunk < ranks && ranks > 1; ++chunk)
    all.push_back(says(type, 5, fmt::format("{} with the block scales of the rows of rank {}", scales->name, chunk),
                       [&terms, scales, chunk, ranks, rows](const Element& e) {
                         const Index row = scales->row_of(e);
                         const Index other = part(rows, ranks, chunk).begin + row -
                                             part(rows, ranks, part_holding(rows, ranks, row)).begin;
                         double value = e.want;
                         for (Index b = 0; other < rows && b < std::ssize(scales->blocks); ++b)
                           value += change(terms, *scales, e, b, other, b);
                         return value;
                       }));
}

}  // namespace

Hypotheses by_scale(const Prepared& prepared, const Evidence& evidence, const Terms& terms) {
  Hypotheses all;
  const Call& call = prepared.a_case.calls[static_cast<std::size_t>(evidence.call)];
  if (!has_block_scales(call.recipe) || evidence.output == "db" || evidence.output == "main_grad") return all;
  for (bool of_a : {true, false}) {
    if (call.recipe.kind == RecipeKind::block128 && (of_a ? terms.a_name : terms.b_name) == "W") continue;  // squares
    const auto scales = std::make_shared<BlockScales>(scales_of(call.recipe, terms, of_a));
    add_exchanged_blocks(all, evidence.type, terms, scales);
    if (of_a && evidence.output != "dw") add_other_chunks(all, evidence.type, terms, scales, call.tp);
  }
  return all;
}

}  // namespace lockstep
