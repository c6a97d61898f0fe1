// The groups of a case: which ranks, and what each of them runs.
#include "reference/contract/case.h"
#include "reference/contract/hash.h"

namespace lockstep {

bool is_grouped(const Call& call) { return call.ranks() != call.tp || call.groups.dealing != Dealing::block; }

RankLists groups_of(const Call& call) { return deal(call.groups, call.ranks(), call.tp); }

// The first group has the seed of the case, so that a world of one group is what a case without a world is.
Case case_of_group(Case a_case, Index group) {
  for (Call& call : a_case.calls) {
    call.world = 0, call.groups = {};
    if (group > 0) call.seed = mix(call.seed, 0x6709u, static_cast<std::uint64_t>(group));
    if (takes_rank(call.executor.kind)) call.executor = {ExecutorKind::sequential, 0, call.executor.device};
  }
  return a_case;
}

void set_group_size(Call& call, Index tp) {
  if (call.world > 0) call.world = call.world / call.tp * tp;
  call.tp = tp;
}

}  // namespace lockstep
