// How Lockstep says no.
//
// A Refusal is one sentence about what the user gave: what, where, and what is allowed. The command turns it into exit
// code 2. CHECK states what must hold whatever the user gives; when it fails, Lockstep itself is wrong.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace lockstep {

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> sentence, Args&&... args) {
  throw Refusal(fmt::format(sentence, std::forward<Args>(args)...));
}

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line, const char* why) {
  throw std::logic_error(fmt::format("{}:{}: {} (expected: {})", file, line, why, condition));
}

}  // namespace lockstep

#define CHECK(condition, why) \
  (static_cast<bool>(condition) ? void() : ::lockstep::check_failed(#condition, __FILE__, __LINE__, why))
