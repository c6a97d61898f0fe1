// Some tokens and output features stand in the place of others, n(i) in that of i:
//
//   X'[i] = X[n(i)]     dY'[i, j] = dY[n(i), n(j)]     W'[j] = W[n(j)], b'[j] = b[n(j)], main gradient likewise
//
//   Y'[i, j] = Y'[n(i), n(j)]     dX'[i] = dX'[n(i)]     dW'[j] = dW'[n(j)]     db'[j] = db'[n(j)]
//
// where n(n(i)) = n(i). Bitwise always: equal rows in equal blocks of scales, of one owner, go through equal steps in
// the same run. Amaxes may change, so the run before says nothing.
#include "oracle/judges/relations/axes.h"

namespace lockstep {
namespace {

bool has_two(const Call& call) { return call.tokens > call.tp || call.out > (call.is_row() ? 1 : call.tp); }

Related duplicate(const Given& given, const Run& run) {
  const Case& a_case = given.asked.a_case;
  std::vector<Axes> axes;
  for (const Call& call : a_case.calls)
    axes.push_back({doubled(blocks_of_tokens(call), Random(a_case.first().seed, axes.size(), 0xD0u)),
                    doubled(blocks_of_features(call), Random(a_case.first().seed, 0xD1u))});
  const Outputs got = run({a_case, picked(a_case, given.asked.inputs, axes)});
  return {a_case, got, picked(a_case, got, axes)};
}

}  // namespace

Relation duplicate_relation() {
  return {"duplicate", "equal tokens, rows of W and biases give equal rows and columns",
          [](const Case& a_case) { return some_call(a_case, has_two); }, duplicate};
}

}  // namespace lockstep
