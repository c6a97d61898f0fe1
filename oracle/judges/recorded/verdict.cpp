#include "oracle/judges/recorded/verdict.h"

#include "oracle/judges/same_value.h"

#include <fmt/format.h>

namespace lockstep {

void compare(RecordedVerdict& verdict, const std::string& tensor, const Tensor& got, const Tensor& want) {
  constexpr std::size_t most_named = 8;
  for (Index i = 0; i < want.rows; ++i)
    for (Index j = 0; j < want.cols; ++j) {
      ++verdict.compared;
      const std::uint32_t got_code = code_at(got, i, j), want_code = code_at(want, i, j);
      if (same_value(want.dtype, got_code, want_code)) continue;
      ++verdict.differing;
      if (verdict.first.size() < most_named) verdict.first.push_back({tensor, i, j, want.dtype, got_code, want_code});
    }
}

std::string describe(const CodeDifference& d) {
  const auto digits = 2 * bytes_of(d.dtype);
  return fmt::format("{}[{}, {}] is {} (0x{:0{}x}), should be {} (0x{:0{}x})", d.tensor, d.row, d.col,
                     decode(d.dtype, d.got), d.got, digits, decode(d.dtype, d.want), d.want, digits);
}

}  // namespace lockstep
