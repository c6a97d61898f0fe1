#include "oracle/judges/recorded/verdict.h"

#include "oracle/judges/same_value.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lockstep {
namespace {

constexpr std::size_t most_named = 8;

// differs(i, j, code) is what is wrong with an element, or none.
template <typename Differs>
void compare_all(RecordedVerdict& verdict, const RecordedOutput& got, Index rows, Index cols, const Differs& differs) {
  CHECK(got.tensor->rows == rows && got.tensor->cols == cols, "recorded outputs of another shape compared");
  verdict.compared += rows * cols;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      if (const std::optional<CodeDifference> difference = differs(i, j, code_at(*got.tensor, i, j)))
        verdict.add(*difference);
}

}  // namespace

void RecordedVerdict::add(const CodeDifference& difference) {
  ++differing;
  if (first.size() < most_named) first.push_back(difference);
}

void RecordedVerdict::add(const RecordedVerdict& other) {
  compared += other.compared;
  differing += other.differing;
  utilisation.largest = std::max(utilisation.largest, other.utilisation.largest);
  utilisation.unjudged += other.utilisation.unjudged;
  for (const CodeDifference& difference : other.first)
    if (first.size() < most_named) first.push_back(difference);
}

void compare(RecordedVerdict& verdict, const RecordedOutput& got, const Tensor& wanted) {
  const DType type = wanted.dtype;
  CHECK(got.tensor->dtype == type, "recorded outputs of another type compared");
  compare_all(verdict, got, wanted.rows, wanted.cols,
              [&](Index i, Index j, std::uint32_t code) -> std::optional<CodeDifference> {
                const std::uint32_t want = code_at(wanted, i, j);
                if (same_value(type, code, want)) return std::nullopt;
                return CodeDifference{got.name, got.row + i, got.col + j, type, code, want};
              });
}

void compare(RecordedVerdict& verdict, const RecordedOutput& got, const MatrixOf<Bounded>& wanted) {
  const DType type = got.tensor->dtype;
  compare_all(verdict, got, wanted.rows, wanted.cols,
              [&](Index i, Index j, std::uint32_t code) -> std::optional<CodeDifference> {
                const Bounded& want = wanted(i, j);
                if (is_within(type, code, want, verdict.utilisation)) return std::nullopt;
                return CodeDifference{got.name,    got.row + i, got.col + j,
                                      type,        code,        encode(type, static_cast<float>(want.value)),
                                      want.error()};
              });
}

std::string describe(const CodeDifference& d) {
  const auto digits = 2 * bytes_of(d.dtype);
  const std::string within = d.within > 0 ? fmt::format(", to within {:.3g}", d.within) : "";
  return fmt::format("{}[{}, {}] is {} (0x{:0{}x}), should be {} (0x{:0{}x}){}", d.tensor, d.row, d.col,
                     decode(d.dtype, d.got), d.got, digits, decode(d.dtype, d.want), d.want, digits, within);
}

}  // namespace lockstep
