// A line for the person at the terminal. That standard error is closed or full changes no result, so it is not
// reported.
#pragma once

#include <cstdio>
#include <string>

namespace lockstep {

inline void say(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace lockstep
