#include "oracle/diagnosis/recorded/whole_output.h"

#include "oracle/diagnosis/pattern.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

Held held_by(std::size_t rank, const WholeOutput& whole, const RecordedWant& want) {
  const Tensor& got = *whole.outputs[rank].tensor;
  const Block& part = whole.parts[rank];
  const auto which = static_cast<Index>(rank);
  Held held{which, part.rows, part.cols, {}};
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j) {
      const std::uint32_t code = code_at(got, i, j);
      held.elements.push_back({which, part.rows.begin + i, part.cols.begin + j, code, decode(got.dtype, code),
                               value_of(want, rank, i, j), !is_right(want, rank, i, j, got.dtype, code)});
    }
  return held;
}

}  // namespace

bool WholeOutput::is_from(const RecordedWant& want, const Element& e, Index row, Index col) const {
  const auto part = std::ranges::find_if(
      parts, [&](const Block& block) { return block.rows.contains(row) && block.cols.contains(col); });
  if (part == parts.end()) return false;
  return is_right(want, static_cast<std::size_t>(part - parts.begin()), row - part->rows.begin, col - part->cols.begin,
                  outputs.front().tensor->dtype, e.code);
}

WholeOutput whole_output(const RecordedGemm& recorded) {
  const RecordedOutput output = outputs_of(recorded).front();
  const Range rows{output.row, output.row + recorded.output.rows}, cols{output.col, output.col + recorded.output.cols};
  return {"output", {rows.end, cols.end}, {{rows, cols}}, {output}};
}

WholeOutput whole_output(const RecordedLayer& layer) {
  const Problem& p = layer.problem;
  const PieceOf at = layer.piece.value_or(PieceOf{layer.output});
  WholeOutput whole{at.name, {at.row + p.tokens, at.col + p.out}, {}, outputs_of(layer)};
  for (Index rank = 0; rank < p.tp; ++rank) {
    const Range rows = layer.reduces()      ? layer.kept_by(rank)
                       : layer.is_by_rows() ? p.tokens_of(rank)
                                            : Range{0, p.tokens};
    const Range cols = layer.is_by_rows() ? Range{0, p.out} : part(p.out, p.tp, rank);
    whole.parts.push_back({{at.row + rows.begin, at.row + rows.end}, {at.col + cols.begin, at.col + cols.end}});
  }
  return whole;
}

Evidence evidence_of(const WholeOutput& whole, const RecordedWant& want) {
  Evidence evidence{0, whole.name, whole.outputs.front().tensor->dtype, {}, 0};
  for (std::size_t rank = 0; rank < whole.outputs.size(); ++rank) {
    Held held = held_by(rank, whole, want);
    const Index differing = std::ranges::count(held.elements, true, &Element::differs);
    if (differing > 0) evidence.held.push_back(std::move(held));
    evidence.differing += differing;
  }
  return evidence;
}

std::string where(const std::vector<const Element*>& elements) {
  std::set<Index> rows, cols, ranks;
  for (const Element* e : elements) rows.insert(e->row), cols.insert(e->col), ranks.insert(e->rank);
  return fmt::format("{}, {}, {}", describe_places("row", rows), describe_places("column", cols),
                     describe_places("rank", ranks));
}

}  // namespace lockstep
