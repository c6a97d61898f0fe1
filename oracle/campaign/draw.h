// Random cases. The same seed and number, the same case, on every machine.
//
// Sizes are drawn small half of the time: small cases are fast, and most mistakes fit in them.
#pragma once

#include "oracle/campaign/cells.h"

namespace lockstep {

// What every case of a campaign has in common; what is not given is drawn.
struct Fixed {
  std::optional<Data> data{};
  std::optional<Arithmetic> arithmetic{};  // where a case can have it
  JudgeChoice judge = JudgeChoice::strongest;
  std::optional<Executor> executor{};
  std::string fault{};
  RunsOn device = RunsOn::host;
  std::optional<Cell> cell{};  // what is run, but for sizes, types and data
  bool one_group = false;      // of ranks 0 to tp - 1, and no others
};

// One to three calls; tp 1..9, and once in 400 up to 72; once in 8 a world of up to 12 ranks in groups; tokens 0..70,
// in and out 1..130; once in 8 under block128 up to 400, so that there is more than one block. `attempt` draws other
// data for the same shapes and schedule.
Case draw_case(std::uint64_t seed, Index number, Index attempt, const Fixed& fixed);

}  // namespace lockstep
