#include "oracle/judges/comparison.h"

#include "oracle/judges/same_value.h"
#include "oracle/judges/sampled.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

void enclose(Range& range, Index i) {
  range = range.empty() ? Range{i, i + 1} : Range{std::min(range.begin, i), std::max(range.end, i + 1)};
}

bool is_poison(DType type, std::uint32_t code) { return code == ~std::uint32_t{0} >> (32 - format(type).bits); }

// Whether a pipeline makes this output, so that its columns belong to splits.
bool is_split(const Call& call, std::string_view output) {
  if (has_block_scales(call.recipe)) return false;
  return (output == "y" && call.is_row() && call.method == Method::pipeline) ||
         (output == "dx" && !call.is_row() && call.dgrad == Method::pipeline);
}

}  // namespace

void Comparison::add(const Call& call, const Difference& difference) {
  ++differing;
  if (is_poison(difference.type, difference.got)) ++poisoned;
  if (first.size() < kept) first.push_back(difference);
  outputs.insert(difference.output);
  calls.insert(difference.call);
  ranks.insert(difference.rank);
  if (is_split(call, difference.output))
    splits.insert(part_holding(difference.output == "y" ? call.out : call.in, call.splits, difference.col));
  enclose(rows, difference.row);
  enclose(cols, difference.col);
}

Origin origin_of(const Problem& p, std::string_view output, Index rank) {
  if (output == "y") return {p.y_rows(rank).begin, p.out_of(rank).begin};
  if (output == "dx") return {p.x_rows(rank).begin, p.in_of(rank).begin};
  if (output == "dw" || output == "main_grad") return {p.out_of(rank).begin, p.in_of(rank).begin};
  return output == "db" ? Origin{0, p.out_of(rank).begin} : Origin{};
}

void compare(Comparison& comparison, const Call& call, Index which, Index rank, const std::string& output,
             const Tensor& got, const Tensor& want) {
  CHECK(got.dtype == want.dtype && got.rows == want.rows && got.cols == want.cols,
        "outputs of different shapes compared");
  const Sampled judged = sampled(call);
  if (judged.is_all()) comparison.compared += got.rows * got.cols;
  if (judged.is_all() && got.bytes == want.bytes) return;
  const Origin origin = origin_of(problem_of(call), output, rank);
  const std::byte* g = got.bytes.data();
  const std::byte* w = want.bytes.data();
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j, g += bytes_of(got.dtype), w += bytes_of(got.dtype)) {
      if (!judged.is_all()) {
        if (!is_sampled(judged, output, origin.row + i, origin.col + j)) continue;
        ++comparison.compared;
      }
      const auto got_code = load_code(got.dtype, g), want_code = load_code(want.dtype, w);
      if (!same_value(got.dtype, got_code, want_code))
        comparison.add(call, {which, rank, output, origin.row + i, origin.col + j, got.dtype, got_code, want_code});
    }
}

}  // namespace lockstep
