#include "reference/contract/case.h"

#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <charconv>
#include <ostream>

namespace lockstep {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return words;
    text.remove_prefix(begin);
    const auto end = std::min(text.find_first_of(blanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::vector<std::string_view> segments_of(std::string_view line) {
  std::vector<std::string_view> segments;
  for (std::size_t begin = 0, end = 0; end != line.npos; begin = end + 1) {
    end = line.find(';', begin);
    segments.push_back(line.substr(begin, end == line.npos ? line.npos : end - begin));
  }
  return segments;
}

Index repeats(std::string_view value) {
  Index n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc{} || end != value.data() + value.size() || n < 1 || n > max_calls)
    refuse("calls={}: calls is a whole number from 1 to {}", in_quotes(value), max_calls);
  return n;
}

// Reads one segment into `call`; returns how often it is called.
Index read_segment(std::string_view segment, Call& call, bool first) {
  std::vector<std::string_view> seen;
  Index times = 1;
  for (std::string_view word : words_of(segment)) {
    const auto equals = word.find('=');
    if (equals == word.npos) refuse("{} in the case line is not of the form key=value", in_quotes(word));
    const auto key = word.substr(0, equals), value = word.substr(equals + 1);
    if (std::ranges::find(seen, key) != seen.end())
      refuse("the key {} stands twice in one call of the case line", in_quotes(key));
    seen.push_back(key);
    if (key == "calls") {
      times = repeats(value);
      continue;
    }
    const Key& known = key_named(key);
    const std::string before = known.get(call);
    known.set(call, value);
    if (!first && !known.may_change && known.get(call) != before)
      refuse("{}={} after {}={}: {} may not change from call to call", key, value, key, before, key);
  }
  if (seen.empty()) refuse("the case line has an empty call: write at least one key=value between semicolons");
  return times;
}

bool all_equal(const Case& a_case) {
  return std::ranges::all_of(a_case.calls, [&](const Call& call) { return call == a_case.first(); });
}

std::string print_changes(const Call& call, const Call& before) {
  std::string line;
  for (const Key& key : keys())
    if (key.get(call) != key.get(before))
      line += fmt::format("{}{}={}", line.empty() ? "" : " ", key.name, key.get(call));
  return line.empty() ? fmt::format("tokens={}", call.tokens) : line;
}

// What a line says only where it is not as it is without: the keys that most cases have no use for.
bool is_left_out(const Key& key, const Call& call) {
  Call plain;
  plain.tp = call.tp;
  return (key.name == "fault" || key.name == "world" || key.name == "groups" || key.name == "device") &&
         key.get(call) == key.get(plain);
}

}  // namespace

bool is_mixed(const Case& a_case) {
  return std::ranges::any_of(
      a_case.calls, [&](const Call& call) { return call.op != a_case.first().op || call.pass != a_case.first().pass; });
}

Case parse_case(std::string_view line) {
  Case a_case{.calls = {}};
  Call call;
  for (std::string_view segment : segments_of(line)) {
    const Index times = read_segment(segment, call, a_case.calls.empty());
    if (std::ssize(a_case.calls) + times > max_calls) refuse("the case line has more than {} calls", max_calls);
    a_case.calls.insert(a_case.calls.end(), static_cast<std::size_t>(times), resolved(call));
  }
  validate(a_case);
  return a_case;
}

std::string print(const Case& a_case) {
  std::string line;
  for (const Key& key : keys())
    if (!is_left_out(key, a_case.first()))
      line += fmt::format("{}{}={}", line.empty() ? "" : " ", key.name, key.get(a_case.first()));
  if (a_case.calls.size() > 1 && all_equal(a_case)) return line + fmt::format(" calls={}", a_case.calls.size());
  for (std::size_t i = 1; i < a_case.calls.size(); ++i)
    line += " ; " + print_changes(a_case.calls[i], a_case.calls[i - 1]);
  return line;
}

std::ostream& operator<<(std::ostream& stream, const Case& a_case) { return stream << print(a_case); }

}  // namespace lockstep
