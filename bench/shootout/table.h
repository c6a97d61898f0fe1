// The whole comparison: every fault of the catalogue beside every rule, and beside Lockstep's own judges.
#pragma once

#include "bench/shootout/entrant.h"
#include "oracle/campaign/score.h"

namespace lockstep::shootout {

struct Options {
  std::uint64_t seed = 0;
  std::string only;    // one rule
  std::string fault;   // one fault
  bool quick = false;  // the rules that say so
  Index cases = 2000;  // random cases of Lockstep's judges, a fault, at the most
  Index threads = 1;
};

// What was measured; rules in the columns.
struct Table {
  std::vector<const Rule*> rules;
  std::vector<const Fault*> faults;
  std::vector<double> seconds_to_enter;    // of each rule
  std::vector<std::vector<Trial>> trials;  // [fault][rule]
  std::vector<std::vector<Kill>> kills;    // [fault][judge of judge_columns()]
  double seconds = 0;

  bool lockstep_sees(std::size_t fault) const;  // by any of its judges
};

// How many faults a rule could have seen, and saw.
struct Tally {
  Index applicable = 0, seen = 0;
  double seconds = 0;  // of all its trials, and to enter
};
Tally tally(const Table& table, std::size_t rule);

// Refuses an unknown rule or fault, and a rule that rejects the correct plan.
Table compare(const Options& options);

}  // namespace lockstep::shootout
