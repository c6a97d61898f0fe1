// What delayed scaling keeps, on any data:
//
//   margin    one more halves the scales that a call leaves of X, W and dY, and changes nothing else: the call itself
//             takes the scales from before. One call, since the next would round by other scales, and nothing empty,
//             since an amax of 0 leaves its scale alone, as one that
//             is not finite does. Bitwise: largest / amax is divided by 2^margin, exactly. Of Y
//             and dX on the wire not, whose amax may be 0.
//   history   what is forgotten does not matter: of the newest amax, the history before the call; of the largest, the
//             oldest amax, which leaves the history as the call's own comes in. The histories themselves are open.
#include "oracle/judges/relations/outputs.h"

namespace lockstep {
namespace {

bool is_delayed(const Call& call) { return call.recipe.kind == RecipeKind::delayed; }

constexpr Index largest_margin = 8;  // of a case line

bool has_one_full_call(const Case& a_case) {
  const Call& call = a_case.first();
  return is_delayed(call) && a_case.calls.size() == 1 && call.tokens > 0 && call.in > 0 && call.out > 0 &&
         call.recipe.margin < largest_margin && call.data != Data::specials;
}

// A scale of X, W or dY that the call moves on.
bool moves_on(const Call& call, std::string_view name) {
  for (Role role : {Role::x, Role::w, Role::dy})
    if (name == scale_name(role)) return updates(call.pass, role);
  return false;
}

bool is_of_the_wire(std::string_view name) { return name == scale_name(Role::y) || name == scale_name(Role::dx); }

Related more_margin(const Given& given, const Run& run) {
  Asked asked = given.asked;
  ++asked.a_case.calls[0].recipe.margin;
  Outputs want = each_tensor(given.outputs, [&](std::size_t, const std::string& name, Index, Tensor scale) {
    if (moves_on(given.asked.a_case.first(), name))
      set_code(scale, 0, 0, encode(DType::f32, value_at(scale, 0, 0) / 2));
    return scale;
  });
  return {asked.a_case, run(asked), without(std::move(want), is_of_the_wire)};
}

// Every entry from `first` on doubled.
Tensor doubled(Tensor history, Index first) {
  for (Index i = first; i < history.cols; ++i) set_code(history, 0, i, encode(DType::f32, 2 * value_at(history, 0, i)));
  return history;
}

bool is_history(std::string_view name) { return name.starts_with("history."); }

Related other_past(const Given& given, const Run& run) {
  Asked asked = given.asked;
  const bool newest = asked.a_case.first().recipe.amax == AmaxAlgorithm::most_recent;
  asked.inputs = each_tensor(asked.inputs, [&](std::size_t, const std::string& name, Index, const Tensor& tensor) {
    return is_history(name) ? doubled(tensor, newest ? 0 : tensor.cols - 1) : tensor;
  });
  return {asked.a_case, run(asked), without(given.outputs, is_history)};
}

}  // namespace

Relation margin_relation() {
  return {"margin", "one more margin halves the scales that are kept", has_one_full_call, more_margin};
}

Relation history_relation() {
  return {"history", "amaxes that are forgotten do not matter",
          [](const Case& a_case) { return every_call(a_case, is_delayed); }, other_past};
}

}  // namespace lockstep
