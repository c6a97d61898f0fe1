// Random cases. The same seed and number, the same case, on every machine.
//
// Sizes are drawn small half of the time: small cases are fast, and most mistakes fit in them.
#pragma once

#include "reference/contract/case.h"

#include <optional>

namespace lockstep {

// What every case of a campaign has in common; what is not given is drawn.
struct Fixed {
  std::optional<Data> data;
  std::optional<Executor> executor;
  std::string fault;
};

// tp 1..9, tokens 0..70, in 1..130, out 1..130, splits 1..9, one to three calls. `attempt` draws other data for the
// same shapes and schedule.
Case draw_case(std::uint64_t seed, Index number, Index attempt, const Fixed& fixed);

}  // namespace lockstep
