#include "oracle/inputs/recorded_path.h"

#include "reference/contract/quote.h"

namespace lockstep {
namespace {

// in_quotes of one character, without the quotes.
std::string escaped(char c) {
  const std::string quoted = in_quotes({&c, 1});
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::string shown_path(const std::string& path) {
  std::string text;
  for (const char c : path) text += escaped(c);
  const bool plain = !path.empty() && text == path && path.find(' ') == std::string::npos;
  return plain ? path : '"' + text + '"';
}

}  // namespace lockstep
