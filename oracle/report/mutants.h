// The score of the generated mutants as text and as JSON, and the operators that made them.
#pragma once

#include "oracle/mutants/score.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

// For each class of fields what is done to one.
std::string print_operators();
nlohmann::json operators_json();

// A line a class, judges and proofs across; then all numbers of ranks; then every survivor.
std::string print_mutants(const MutantScore& score);

// total, killed, equivalent, survived, score, score_of_well_formed, passes, median_cases, median_seconds, seconds;
// by_class, by_ranks, by_case, each with what the judges killed and the proofs proved; survivors.
nlohmann::json to_json(const MutantScore& score);

}  // namespace lockstep
