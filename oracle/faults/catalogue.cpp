#include "oracle/faults/classes.h"
#include "oracle/faults/in_every_group.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

namespace lockstep {

std::string_view name(FaultClass kind) {
  constexpr std::string_view names[] = {"offset", "mapping",  "contribution", "remainder", "scale",    "precision",
                                        "layout", "backward", "overflow",     "zero",      "dispatch", "order",
                                        "reuse",  "stream",   "hang",         "bounds"};
  return names[static_cast<std::size_t>(kind)];
}

std::span<const Fault> fault_catalogue() {
  static const std::vector<Fault> all = [] {
    std::vector<Fault> faults = world_faults();
    // What is more particular first: of two that give the same bits it is the likelier.
    for (auto of_class : {offset_faults, mapping_faults,       backward_faults, contribution_faults, remainder_faults,
                          tail_faults,   block_scale_faults,   scale_faults,    amax_faults,         precision_faults,
                          layout_faults, dispatch_faults,      zero_faults,     overflow_faults,     hang_faults,
                          stream_faults, shared_buffer_faults, reuse_faults,    order_faults,        edge_faults})
      for (Fault& fault : of_class()) faults.push_back(in_every_group(std::move(fault)));
    return faults;
  }();
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
