#include "oracle/faults/bias.h"
#include "oracle/faults/chunks.h"
#include "oracle/faults/order.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <array>

namespace lockstep {

std::string_view name(FaultClass kind) {
  constexpr std::string_view names[] = {"rank", "split", "bias", "row", "order"};
  return names[static_cast<std::size_t>(kind)];
}

std::span<const Fault> fault_catalogue() {
  static const std::array all{bias_not_advanced(), bias_rank0_only(), remainder_dropped(),
                              rank_missing(),      rows_exchanged(),  reduce_before_ready()};
  return all;
}

const Fault& fault_named(std::string_view id) {
  std::string known;
  for (const Fault& fault : fault_catalogue()) {
    if (fault.id == id) return fault;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", fault.id);
  }
  refuse("fault={}: there is no such fault; the catalogue has {}", in_quotes(id), known);
}

}  // namespace lockstep
