#include "oracle/order/case_order.h"

#include "oracle/order/plan_product.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

bool alike(const OrderFound& a, const OrderFound& b) {
  return a.found == b.found && a.declared == b.declared && a.agrees == b.agrees;
}

// One line for what is the same everywhere.
std::vector<OrderFound> merged(const std::vector<OrderFound>& all) {
  std::vector<OrderFound> some;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(), [&](const OrderFound& f) { return f.what != begin->what; });
    const bool once = std::all_of(begin, end, [&](const OrderFound& f) { return alike(f, *begin); });
    some.insert(some.end(), begin, once ? begin + 1 : end);
    if (once) some.back().where = "every rank";
    begin = end;
  }
  return some;
}

}  // namespace

std::vector<OrderFound> orders_of(const Call& call) {
  if (is_grouped(call))
    refuse("world={} groups={}: every group sums as one by itself does; leave world and groups out", call.ranks(),
           key_named("groups").get(call));
  if (is_fp8(call.recipe))
    refuse("recipe={}: 8 bits hold no mask that a float sum loses, so its order cannot show; take recipe=none",
           key_named("recipe").get(call));
  std::vector<OrderFound> all;
  for (Pass pass : {Pass::forward, Pass::backward}) {
    if (!(pass == Pass::forward ? call.is_forward() : call.is_backward())) continue;
    find_order_over_k(all, call, pass);
    if (reduces_in(call, pass) && call.tp > 1) find_order_over_ranks(all, call, pass);
  }
  return merged(all);
}

}  // namespace lockstep
