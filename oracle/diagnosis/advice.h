// What to do about a failure: where to look, and which commands go on from here.
#pragma once

#include "oracle/diagnosis/explain.h"

namespace lockstep {

// Where mistakes of this class sit in an implementation; of a failure that no fault explains, by its judge.
std::string advice(const Explanation& explanation, const Verdict& verdict);

struct Command {
  std::string why, line;  // "the smallest case that fails like it", "lockstep reduce --case '..'"
};

std::vector<Command> commands_to_go_on(const Case& a_case, const Verdict& verdict);

}  // namespace lockstep
