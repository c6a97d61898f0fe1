#include "oracle/inputs/planted_scales.h"

#include "oracle/inputs/random.h"
#include "oracle/inputs/shards.h"
#include "reference/contract/refusal.h"

#include <cmath>

namespace lockstep {
namespace {

Index multiplier_of(Role role, const Multipliers& m) {
  return role == Role::x ? m.x : role == Role::w ? m.w : role == Role::dy ? m.dy : 1;
}

void check_history(const Case& a_case) {
  const Recipe& recipe = a_case.first().recipe;
  const auto calls = std::ssize(a_case.calls);
  if (a_case.first().fp8_wire && calls > 1 && (recipe.amax == AmaxAlgorithm::most_recent || recipe.history < calls))
    refuse(
        "data={} wire=fp8: the amax of a partial sum makes no exact scale, so over {} calls it needs amax=max and "
        "history={} or more; or take data=normal",
        key_named("data").get(a_case.first()), calls, calls);
}

// 2^e / m, whose inverse is exactly m / 2^e.
float scale(Index exponent, Index m) {
  const float s = std::ldexp(1.0f, static_cast<int>(exponent)) / static_cast<float>(m);
  CHECK(1.0f / s == std::ldexp(static_cast<float>(m), -static_cast<int>(exponent)), "a scale without an exact inverse");
  return s;
}

// The amax that makes the scale 2^e / m.
float amax(DType type, Index exponent, Index m) {
  return format(type).largest * std::ldexp(static_cast<float>(m), -static_cast<int>(exponent));
}

}  // namespace

NamedTensors planted_scales(const Case& a_case, const Multipliers& m) {
  NamedTensors kept;
  const Call& call = a_case.first();
  const Problem p = problem_of(call);
  if (call.recipe.kind != RecipeKind::delayed) return kept;
  check_history(a_case);
  for (Role role : roles_of(p, call.pass)) {
    const Index of_role = multiplier_of(role, m);
    const auto own = [&](Index rank) { return is_gathered(p, role) ? 0 : rank; };  // neighbours differ where they may
    const auto random = [&](Index rank) { return Random(call.seed, 0x5CA1Eu, role, own(rank)); };
    kept[scale_name(role)] = of_each_rank(p, DType::f32, [&](Index rank) {
      Matrix one(1, 1);
      one(0, 0) = scale((random(0).between(0, 3) + own(rank)) % 4, of_role);
      return one;
    });
    kept[history_name(role)] = of_each_rank(p, DType::f32, [&](Index rank) {
      Matrix entries(1, call.recipe.history);
      Random r = random(rank);
      for (float& entry : entries.values) entry = amax(fp8_type(role), r.between(0, 4), of_role);
      return entries;
    });
  }
  return kept;
}

}  // namespace lockstep
