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
  const Tensor& output = recorded.output;
  return {{output.rows, output.cols}, {{{0, output.rows}, {0, output.cols}}}, {{"output", &output}}};
}

WholeOutput whole_output(const RecordedLayer& layer) {
  const Problem& p = layer.problem;
  WholeOutput whole{{p.tokens, p.out}, {}, outputs_of(layer)};
  for (Index rank = 0; rank < p.tp; ++rank)
    whole.parts.push_back(layer.reduces() ? Block{p.tokens_of(rank), {0, p.out}}
                                          : Block{{0, p.tokens}, part(p.out, p.tp, rank)});
  return whole;
}

Evidence evidence_of(const WholeOutput& whole, const RecordedWant& want) {
  Evidence evidence{0, "output", whole.outputs.front().tensor->dtype, {}, 0};
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
