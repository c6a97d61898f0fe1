// What `lockstep explain` says of one case: a failure as `run` prints it, then what else is known and what to do.
#pragma once

#include "oracle/diagnosis/examine.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

struct Explained {
  Case a_case;
  Examined examined;
  std::string nearest;  // of a failure whose bits no fault gives: the fault that comes nearest, in words
};

// One sentence where the case does not fail.
std::string print(const Explained& explained);
// verdict; of a failure all that run's JSON has of one, and nearest, advice and commands.
nlohmann::json to_json(const Explained& explained);

}  // namespace lockstep
