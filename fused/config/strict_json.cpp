#include "fused/config/strict_json.h"

#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace lockstep {
namespace {

using nlohmann::json;
using Event = json::parse_event_t;

json::parser_callback_t refuse_repeated_keys(std::string_view what) {
  return [what, open = std::vector<std::set<std::string>>{}](int, Event event, json& parsed) mutable {
    if (event == Event::object_start) open.emplace_back();
    if (event == Event::object_end) open.pop_back();
    if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second)
      refuse("the key {} stands twice in one object of {}", in_quotes(parsed.get<std::string>()), what);
    return true;
  };
}

// `bytes_read` counts the one that does not fit.
[[noreturn]] void refuse_text(std::string_view text, std::size_t bytes_read, std::string_view what) {
  const auto before = text.substr(0, std::max<std::size_t>(bytes_read, 1) - 1);
  refuse("{} stops being JSON at line {}, column {}: allowed is one value of JSON without comments", what,
         1 + std::ranges::count(before, '\n'), before.size() - before.rfind('\n'));
}

}  // namespace

json strict_json(std::string_view text, std::string_view what) try {
  return json::parse(text, refuse_repeated_keys(what));
} catch (const json::parse_error& error) {
  refuse_text(text, error.byte, what);
} catch (const json::out_of_range&) {
  refuse("{} has a number that no double holds: allowed is up to 1.8e308", what);
}

}  // namespace lockstep
