// The outputs of a case by name, shape and type, from the case alone.
#pragma once

#include "oracle/judges/relations/relation.h"

namespace lockstep {

// Every output poisoned: y; dx, dw, db; and with the last call main_grad, scale.*, history.*
Outputs unwritten_outputs(const Case& a_case);

// Each tensor f(which call, name, rank, tensor) of one of `tensors`.
template <typename F>
std::vector<NamedTensors> each_tensor(const std::vector<NamedTensors>& tensors, const F& f) {
  std::vector<NamedTensors> made(tensors.size());
  for (std::size_t which = 0; which < tensors.size(); ++which)
    for (const auto& [name, ranks] : tensors[which])
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        made[which][name].push_back(f(which, name, static_cast<Index>(rank), ranks[rank]));
  return made;
}

// Without those outputs that `is_open` names.
template <typename F>
Outputs without(Outputs outputs, const F& is_open) {
  for (NamedTensors& of_call : outputs) std::erase_if(of_call, [&](const auto& named) { return is_open(named.first); });
  return outputs;
}

}  // namespace lockstep
