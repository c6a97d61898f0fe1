#include "oracle/diagnosis/variations.h"

#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

struct Sizes {
  Index tp, tokens, in, out, splits;
};

Case with(Case a_case, const Sizes& sizes) {
  for (Call& call : a_case.calls) {
    set_group_size(call, sizes.tp);
    call.tokens = sizes.tokens, call.in = sizes.in, call.out = sizes.out;
    call.splits = sizes.splits;
    if (takes_rank(call.executor.kind)) call.executor.seed %= static_cast<std::uint64_t>(call.ranks());
  }
  return a_case;
}

bool is_allowed(const Case& a_case) try {
  validate(a_case);
  return true;
} catch (const Refusal&) {
  return false;
}

}  // namespace

// Parts that divide and parts that do not, several splits and chunks, rows and columns of different lengths.
std::vector<Case> variations(const Case& a_case) {
  const Index tp = a_case.first().tp;
  std::vector<Case> all;
  for (const Sizes& sizes : {Sizes{tp, 4 * tp, 8 * tp, 16 * tp, 2}, Sizes{tp, 3 * tp + 1, 9 * tp + 2, 7 * tp + 3, 3},
                             Sizes{4, 14, 45, 37, 3}, Sizes{3, 10, 19, 67, 4}, Sizes{5, 3, 3, 4, 3},
                             Sizes{2, 7, 70, 22, 2}, Sizes{3, 20, 130, 140, 2}})
    if (Case other = with(a_case, sizes); is_allowed(other)) all.push_back(std::move(other));
  return all;
}

}  // namespace lockstep
