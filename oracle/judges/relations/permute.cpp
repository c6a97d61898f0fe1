// Tokens, or output features, in another order s:
//
//   permute_tokens     X'[i] = X[s(i)], dY'[i] = dY[s(i)]       Y'[i] = Y[s(i)], dX'[i] = dX[s(i)]
//   permute_features   W'[j] = W[s(j)], b' and columns of dY'   columns of Y', rows of dW', columns of db'
//
// and what is kept of scales does not change. Bitwise: an element of Y is made from its token's row of X and its
// feature's row of W by the same steps wherever it stands, as long as a token keeps its owner and a row its block of
// scales; an amax does not know an order. What contracts the axis (dW, db over the tokens, dX over the features) is
// summed in another order: it is compared on exact data only, where it does not change. On exact data no block's scale
// matters.
#include "oracle/judges/relations/axes.h"

namespace lockstep {
namespace {

bool has_two(const std::vector<Range>& blocks) {
  return std::ranges::any_of(blocks, [](const Range& block) { return block.size() > 1; });
}

template <typename IsOpen>
Related permuted(const Given& given, const Run& run, const std::vector<Axes>& axes, const IsOpen& is_open) {
  const Case& a_case = given.asked.a_case;
  Outputs want = picked(a_case, given.outputs, axes);
  if (!has_exact_data(a_case)) want = without(std::move(want), is_open);
  return {a_case, run({a_case, picked(a_case, given.asked.inputs, axes)}), std::move(want)};
}

Related permute_tokens(const Given& given, const Run& run) {
  const Case& a_case = given.asked.a_case;
  std::vector<Axes> axes;
  for (const Call& call : a_case.calls)
    axes.push_back({moved(blocks_of_tokens(call), Random(a_case.first().seed, axes.size(), 0x70u)), {}});
  return permuted(given, run, axes,
                  [](std::string_view name) { return name == "dw" || name == "db" || name == "main_grad"; });
}

// The main gradient is all calls', so all take the same order.
Related permute_features(const Given& given, const Run& run) {
  const Case& a_case = given.asked.a_case;
  std::vector<Axes> axes;
  for (const Call& call : a_case.calls)
    axes.push_back({{}, moved(blocks_of_features(call), Random(a_case.first().seed, 0xFEu))});
  return permuted(given, run, axes, [](std::string_view name) { return name.ends_with("dx"); });
}

}  // namespace

Relation permute_tokens_relation() {
  return {"permute_tokens", "tokens in another order are the same tokens in that order",
          [](const Case& a_case) {
            return some_call(a_case, [](const Call& call) { return has_two(blocks_of_tokens(call)); });
          },
          permute_tokens};
}

Relation permute_features_relation() {
  return {"permute_features", "output features in another order are the same features in that order",
          [](const Case& a_case) {
            return some_call(a_case, [](const Call& call) { return has_two(blocks_of_features(call)); });
          },
          permute_features};
}

}  // namespace lockstep
