#include "oracle/faults/in_every_group.h"

#include "fused/plan/world.h"

namespace lockstep {

Fault in_every_group(Fault of_group) {
  Fault fault = of_group;
  fault.sites = [sites = of_group.sites](const Plan& plan) {
    return plan.groups.empty() ? sites(plan) : sites(of_one_group(plan));
  };
  fault.apply = [apply = of_group.apply](Plan plan, Index site) {
    return plan.groups.empty() ? apply(std::move(plan), site) : in_world(apply(of_one_group(plan), site), plan.groups);
  };
  fault.describe = [describe = of_group.describe](const Plan& plan, Index site) {
    return plan.groups.empty() ? describe(plan, site) : "in every group, " + describe(of_one_group(plan), site);
  };
  return fault;
}

}  // namespace lockstep
