#include "reference/contract/quote.h"

#include <fmt/format.h>

namespace lockstep {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string quoted = "\"";
  for (const char c : text.substr(0, longest)) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
    quoted += plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return quoted + (text.size() > longest ? "\"..." : "\"");
}

}  // namespace lockstep
