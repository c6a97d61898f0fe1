// A line of sh, with the command as $L: what it printed and how it ended.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace lockstep {

struct Ended {
  int code;
  std::string output;  // standard output and error
};

inline Ended shell(const std::string& line) {
  FILE* pipe = popen(("L=" LOCKSTEP_COMMAND "; (" + line + ") 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> part{};
  while (const auto n = fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

}  // namespace lockstep
