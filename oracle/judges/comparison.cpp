#include "oracle/judges/comparison.h"

#include "oracle/judges/same_value.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

constexpr std::size_t kept = 8;

void enclose(Range& range, Index i) {
  range = range.empty() ? Range{i, i + 1} : Range{std::min(range.begin, i), std::max(range.end, i + 1)};
}

bool is_poison(DType type, std::uint32_t code) { return code == ~std::uint32_t{0} >> (32 - format(type).bits); }

}  // namespace

void Comparison::add(const Call& call, const Difference& difference) {
  ++differing;
  if (is_poison(call.dtype, difference.got)) ++poisoned;
  if (first.size() < kept) first.push_back(difference);
  calls.insert(difference.call);
  ranks.insert(difference.rank);
  splits.insert(part_holding(call.out, call.splits, difference.col));
  enclose(rows, difference.row);
  enclose(cols, difference.col);
}

void compare(Comparison& comparison, const Call& call, Index which, Index rank, const Tensor& got, const Tensor& want) {
  CHECK(got.dtype == want.dtype && got.rows == want.rows && got.cols == want.cols,
        "outputs of different shapes compared");
  const Index first_row = part(call.tokens, call.tp, rank).begin;
  const std::byte* g = got.bytes.data();
  const std::byte* w = want.bytes.data();
  comparison.compared += got.rows * got.cols;
  if (got.bytes == want.bytes) return;
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j, g += bytes_of(got.dtype), w += bytes_of(got.dtype)) {
      const auto got_code = load_code(got.dtype, g), want_code = load_code(want.dtype, w);
      if (!same_value(got.dtype, got_code, want_code))
        comparison.add(call, {which, rank, first_row + i, j, got_code, want_code});
    }
}

}  // namespace lockstep
