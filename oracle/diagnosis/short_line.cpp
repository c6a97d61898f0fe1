#include "oracle/diagnosis/short_line.h"

#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

// The keys in which a call differs from one, each after a space.
std::string keys_unlike(const Call& call, const Call& other) {
  std::string text;
  for (const Key& key : keys()) {
    const bool is_of_a_world = key.name == "world" || key.name == "groups";
    if (is_of_a_world && call.world == other.world && call.groups == other.groups) continue;
    if (const std::string value = key.get(call); value != key.get(other))
      text += fmt::format(" {}={}", key.name, value);
  }
  return text;
}

std::string shortened(const Case& a_case) {
  const Call& first = a_case.first();
  Call plain;
  plain.op = first.op, plain.pass = first.pass;
  std::string line = "op=" + key_named("op").get(first);
  if (first.pass != Pass::forward) line += " pass=" + key_named("pass").get(first);
  line += keys_unlike(first, resolved(plain));
  const bool all_equal = std::ranges::all_of(a_case.calls, [&](const Call& call) { return call == a_case.first(); });
  if (all_equal && a_case.calls.size() > 1) return line + fmt::format(" calls={}", a_case.calls.size());
  for (std::size_t i = 1; i < a_case.calls.size(); ++i)
    line += " ;" + keys_unlike(a_case.calls[i], a_case.calls[i - 1]);
  return line;
}

bool says(const std::string& line, const Case& a_case) try {
  return parse_case(line) == a_case;
} catch (const Refusal&) {
  return false;
}

}  // namespace

std::string short_line(const Case& a_case) {
  const std::string line = shortened(a_case);
  return says(line, a_case) ? line : print(a_case);
}

}  // namespace lockstep
