#include "oracle/campaign/exit_code.h"

namespace lockstep {

ExitCode exit_code(const Campaign& campaign, double max_blind) {
  for (Outcome outcome : {Outcome::disagree, Outcome::crash, Outcome::failed})
    if (campaign.count(outcome) > 0) return exit_disagree;
  if (campaign.count(Outcome::hang) > 0) return exit_hang;
  const Index agree = campaign.count(Outcome::agree), blind = campaign.count(Outcome::blind);
  const bool too_blind = static_cast<double>(blind) > max_blind * static_cast<double>(agree + blind);
  return agree == 0 || too_blind ? exit_blind : exit_agree;
}

}  // namespace lockstep
