// What a function is refused with, or "accepted".
#pragma once

#include "reference/contract/refusal.h"

#include <string>

namespace lockstep {

template <typename Function>
std::string refusal_by(const Function& function) try {
  function();
  return "accepted";
} catch (const Refusal& refusal) {
  return refusal.what();
}

}  // namespace lockstep
