#include "property_tests/in_a_world.h"

#include <algorithm>

namespace lockstep {
namespace {

Case placed(Case a_case, Index count, const Groups& groups) {
  constexpr Index most_ranks = 12;
  for (Call& call : a_case.calls) {
    call.world = std::clamp<Index>(count, 1, std::max<Index>(1, most_ranks / call.tp)) * call.tp;
    call.groups = groups;
    call = resolved(call);
  }
  return a_case;
}

}  // namespace

rc::Gen<Case> in_a_world(rc::Gen<Case> cases) {
  const auto groups = rc::gen::apply(
      [](Dealing dealing, std::uint64_t number) {
        return Groups{dealing, takes_number(dealing) ? number : 0};
      },
      rc::gen::element(Dealing::block, Dealing::strided, Dealing::offset, Dealing::permuted),
      rc::gen::inRange<std::uint64_t>(0, 100));
  return rc::gen::apply(placed, std::move(cases), rc::gen::inRange<Index>(1, 5), groups);
}

}  // namespace lockstep
