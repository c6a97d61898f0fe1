// The one case that a verb of the debugger is about: --case LINE, or --of FILE, the last failure in a JSON that run
// wrote.
#pragma once

#include "oracle/cli/exit_code.h"
#include "oracle/judges/judge.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace lockstep {

struct OneCase {
  std::optional<std::string> line, of;
};

void add_one_case(CLI::App* verb, OneCase& which);

// Refuses none or several, a case that does not fit this machine, and one that has no place for its fault; where it
// asks for the device, goes on as lockstep_cuda (device.h).
Case read_one_case(const OneCase& which);
// The same of a line.
Case runnable_case(const std::string& line);

ExitCode code_of(const Verdict& verdict);

}  // namespace lockstep
