#include "reference/contract/environment.h"

#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <charconv>
#include <cstdlib>

namespace lockstep {

Index number_in_environment(const char* variable, Index otherwise, const char* what) {
  constexpr Index most = 1'000'000;
  const char* text = std::getenv(variable);
  if (!text) return otherwise;
  const std::string_view digits = text;
  Index number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || number < 1 || number > most)
    refuse("{}={}: it is {} from 1 on", variable, in_quotes(digits), what);
  return number;
}

}  // namespace lockstep
