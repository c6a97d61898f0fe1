#include "oracle/mutants/siblings.h"

#include "fused/plan/accesses.h"

#include <utility>

namespace lockstep {
namespace {

std::string role(const Plan& plan, const PlanOp& op) {
  if (const auto* signal = std::get_if<Signal>(&op.body))
    return plan.counters[static_cast<std::size_t>(signal->counter)].name;
  if (const auto* wait = std::get_if<Wait>(&op.body))
    return plan.counters[static_cast<std::size_t>(wait->counter)].name;
  const auto writes = accesses_of(op).writes;
  return writes.empty() ? "" : plan.buffers[static_cast<std::size_t>(writes[0].buffer)].name;
}

// [rank] -> its operations of one kind and role, in order.
using Family = std::vector<std::vector<Index>>;

}  // namespace

Siblings siblings_of(const Plan& plan) {
  std::map<std::pair<std::size_t, std::string>, Family> families;
  for (Index i = 0; i < std::ssize(plan.ops); ++i) {
    const PlanOp& op = plan.ops[static_cast<std::size_t>(i)];
    auto& family = families[{op.body.index(), role(plan, op)}];
    family.resize(static_cast<std::size_t>(plan.ranks));
    family[static_cast<std::size_t>(op.rank)].push_back(i);
  }
  Siblings siblings{std::vector<Index>(plan.ops.size()), std::vector<Index>(plan.ops.size())};
  for (const auto& [key, family] : families)
    for (std::size_t rank = 0; rank < family.size(); ++rank)
      for (std::size_t n = 0; n < family[rank].size(); ++n) {
        const auto op = static_cast<std::size_t>(family[rank][n]);
        const auto& next_rank = family[(rank + 1) % family.size()];
        siblings.of_split[op] = family[rank][(n + 1) % family[rank].size()];
        siblings.of_rank[op] = n < next_rank.size() ? next_rank[n] : family[rank][n];
      }
  return siblings;
}

}  // namespace lockstep
