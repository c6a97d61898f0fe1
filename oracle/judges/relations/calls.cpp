// Calls on the same Userbuffers, on any data:
//
//   second_call   A1, A1, A2, A2, .. with equal inputs: each second one gives what the first gave. Not where something
//   is
//                 kept from call to call (delayed scaling, a main gradient).
//   fresh_call    A1, A2, ..: each gives what it gives alone, on the scales, histories and main gradient that the one
//                 before it leaves behind
//
// Bitwise: nothing else of a call reaches the next.
#include "oracle/judges/relations/outputs.h"

namespace lockstep {
namespace {

bool keeps(const Call& call) { return call.recipe.kind == RecipeKind::delayed || call.accumulate; }

Asked each_twice(const Asked& asked) {
  Asked twice{Case{{}}, {}};
  for (std::size_t call = 0; call < asked.inputs.size(); ++call)
    for (int again = 0; again < 2; ++again) {
      twice.a_case.calls.push_back(asked.a_case.calls[call]);
      twice.inputs.push_back(asked.inputs[call]);
    }
  return twice;
}

Related second_call(const Given& given, const Run& run) {
  const Asked twice = each_twice(given.asked);
  const Outputs got = run(twice);
  Outputs want = got;
  for (std::size_t call = 0; call < want.size(); call += 2) want[call + 1] = want[call];
  return {twice.a_case, got, want};
}

bool is_kept(std::string_view name) { return name == "main_grad" || name.find('.') != name.npos; }

NamedTensors kept_of(const NamedTensors& outputs) {
  return without({outputs}, [](std::string_view name) { return !is_kept(name); }).front();
}

// Each call alone, on what the one before it kept.
Related fresh_call(const Given& given, const Run& run) {
  const auto& [a_case, inputs] = given.asked;
  Related related{a_case, given.outputs, {}};
  NamedTensors kept;
  for (std::size_t call = 0; call < inputs.size(); ++call) {
    Asked alone{Case{{a_case.calls[call]}}, {inputs[call]}};
    alone.inputs[0].merge(kept);
    related.want.push_back(run(alone).front());
    kept = kept_of(related.want.back());
    if (call + 1 < inputs.size()) std::erase_if(related.want.back(), [](const auto& t) { return is_kept(t.first); });
  }
  return related;
}

}  // namespace

Relation second_call_relation() {
  return {"second_call", "the same call again gives the same again",
          [](const Case& a_case) { return !some_call(a_case, keeps); }, second_call};
}

Relation fresh_call_relation() {
  return {"fresh_call", "each call gives what it gives alone",
          [](const Case& a_case) { return a_case.calls.size() > 1; }, fresh_call};
}

}  // namespace lockstep
