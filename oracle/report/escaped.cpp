#include "oracle/report/escaped.h"

namespace lockstep {

std::string escaped(std::string_view text) {
  std::string safe;
  for (char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else if (c == '\'')
      safe += "&#39;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
      safe += "\xEF\xBF\xBD";
    else
      safe += c;
  }
  return safe;
}

}  // namespace lockstep
