// A plan for one group of ranks as the plan of a world in which several groups run it at once:
//
//   rank i of group g   is rank groups[g][i] of the world
//   operation k of it   stands at k G + g of G groups, so that in order they take turns
//   buffers, lanes      keep their names and are each rank's own; so are counters
//
// Nothing orders one group after another, and none touches what is another's.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

// Every rank of the world is in one of the groups, which are as large as the plan's.
Plan in_world(const Plan& of_group, const RankLists& groups);

// What in_world was given; a plan without groups as it is.
Plan of_one_group(const Plan& world);

// Where a rank of the world stands. Of a plan without groups: in group 0, at its own number.
struct Seat {
  Index group = 0, place = 0;
};
Seat seat_of(const Plan& plan, Index rank);

}  // namespace lockstep
