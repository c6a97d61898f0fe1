// One relation: which cases it is about, and what it says of two runs.
#pragma once

#include "oracle/inputs/inputs.h"

#include <algorithm>
#include <functional>

namespace lockstep {

struct Asked {
  Case a_case;
  std::vector<NamedTensors> inputs;  // of each call
};

using Outputs = std::vector<NamedTensors>;  // of each call; with the last one what is kept

// A case and what its program gave.
struct Given {
  Asked asked;
  Outputs outputs;
};

// What a run gave and what another says that it must be: every tensor that `want` has. Nothing in `want`: the data of
// the case is not such that the relation is bitwise.
struct Related {
  Case a_case;
  Outputs got, want;
};

using Run = std::function<Outputs(const Asked&)>;

struct Relation {
  std::string_view name;
  std::string_view says;  // a sentence's beginning
  bool (*applies)(const Case&);
  Related (*related)(const Given&, const Run&);
};

// In files of this folder.
Relation scale_relation();
Relation negate_relation();
Relation permute_tokens_relation();
Relation permute_features_relation();
Relation duplicate_relation();
Relation exchange_ranks_relation();
Relation splits_relation();
Relation aggregate_relation();
Relation frozen_relation();
Relation second_call_relation();
Relation fresh_call_relation();
Relation margin_relation();
Relation history_relation();
Relation main_grad_relation();
Relation adjoint_relation();

template <typename F>
bool every_call(const Case& a_case, const F& holds) {
  return std::ranges::all_of(a_case.calls, holds);
}
template <typename F>
bool some_call(const Case& a_case, const F& holds) {
  return std::ranges::any_of(a_case.calls, holds);
}

inline bool has_exact_data(const Case& a_case) {
  return every_call(a_case, [](const Call& call) { return is_exact(call.data); });
}

}  // namespace lockstep
