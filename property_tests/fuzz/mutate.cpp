#include "property_tests/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep {

std::size_t below(std::size_t count, Random& random) {
  return count == 0 ? 0 : static_cast<std::size_t>(random.between(0, static_cast<Index>(count) - 1));
}

namespace {

struct Span {
  std::size_t at = 0, size = 0;
};

Span range_of(const std::string& text, Random& random) {
  const std::size_t at = below(text.size() + 1, random), most = random.coin() ? 8 : text.size();
  return {at, below(std::min(most, text.size() - at) + 1, random)};
}

std::string part_of(const std::string& text, const Span& span) { return text.substr(span.at, span.size); }

// What holds `at` and is bordered by bytes that are not of its kind.
template <typename Kind>
Span run_around(const std::string& text, std::size_t at, Kind is_of_kind) {
  std::size_t begin = at, end = at;
  while (begin > 0 && is_of_kind(text[begin - 1])) --begin;
  while (end < text.size() && is_of_kind(text[end])) ++end;
  return {begin, end - begin};
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_member(char c) { return c != ',' && c != ' ' && c != ';' && c != '\n' && c != '{' && c != '}'; }

template <typename Kind>
Span some(const std::string& text, Kind is_of_kind, Random& random) {
  const std::size_t from = below(text.size() + 1, random);
  std::size_t at = from;
  while (at < text.size() && !is_of_kind(text[at])) ++at;
  return run_around(text, at, is_of_kind);
}

using Change = void (*)(std::string& text, const std::string& other, Random& random);

void flip(std::string& text, const std::string&, Random& random) {
  if (!text.empty()) text[below(text.size(), random)] ^= static_cast<char>(1 << random.between(0, 7));
}

// NUL, what ends a line, a quote or a list, and what no UTF-8 has.
void put_byte(std::string& text, const std::string&, Random& random) {
  constexpr std::string_view odd("\0\n\r\t\"\\{}[],:;= #\x7f\x80\xc0\xed\xff", 22);
  const char byte = random.coin() ? random.one_of(odd) : static_cast<char>(random.between(0, 255));
  text.insert(below(text.size() + 1, random), static_cast<std::size_t>(random.coin() ? 1 : random.between(1, 200)),
              byte);
}

void put_escape(std::string& text, const std::string&, Random& random) {
  constexpr std::array escapes{"\\u0000", "\\ud800", "\\udc00", "\\u", "\\x", "\\", "\\ud83d\\ude00", "/*", "null"};
  text.insert(below(text.size() + 1, random), random.one_of(escapes));
}

void cut(std::string& text, const std::string&, Random& random) {
  const Span span = range_of(text, random);
  text.erase(span.at, span.size);
}

void truncate(std::string& text, const std::string&, Random& random) { text.resize(below(text.size() + 1, random)); }

void copy_range(std::string& text, const std::string& other, Random& random) {
  const std::string& from = random.coin() ? text : other;
  const std::string piece = part_of(from, range_of(from, random));
  const Span to = range_of(text, random);
  text.replace(to.at, random.coin() ? to.size : 0, piece);
}

void change_word(std::string& text, const std::string& other, Random& random) {
  const std::string& from = random.coin() ? text : other;
  const std::string word = part_of(from, some(from, is_word, random));
  const Span to = some(text, is_word, random);
  text.replace(to.at, to.size, word);
}

void change_number(std::string& text, const std::string&, Random& random) {
  const Span to = some(text, is_digit, random);
  text.replace(to.at, to.size, odd_number(random));
}

// A key and its value, or a line, twice.
void repeat_member(std::string& text, const std::string& other, Random& random) {
  const std::string& from = random.coin() ? text : other;
  const std::string member = part_of(from, some(from, is_member, random));
  const Span before = some(text, is_member, random);
  constexpr std::string_view between = ", ;\n";
  text.insert(before.at, member + random.one_of(between));
}

void lose_quote(std::string& text, const std::string&, Random& random) {
  const std::size_t quote = text.find_first_of("\"]}=;", below(text.size() + 1, random));
  if (quote != std::string::npos) text.erase(quote, 1);
}

void nest(std::string& text, const std::string&, Random& random) {
  const std::string_view open = random.coin() ? "[" : R"({"a":)";
  const std::size_t depth = below(random.between(0, 19) == 0 ? 100'000 : 20, random);
  std::string opened;
  for (std::size_t i = 0; i < depth; ++i) opened += open;
  text.insert(some(text, is_word, random).at, opened);
}

}  // namespace

std::string odd_number(Random& random) {
  static const std::array<std::string, 26> odd{"0",
                                               "1",
                                               "-1",
                                               "-0",
                                               "00",
                                               "+1",
                                               "0x10",
                                               "1.5",
                                               "1e3",
                                               "-1e-400",
                                               "1e308",
                                               "1e999",
                                               ".5",
                                               "1.",
                                               "127",
                                               "256",
                                               "2147483648",
                                               "4294967296",
                                               "9223372036854775807",
                                               "9223372036854775808",
                                               "-9223372036854775808",
                                               "18446744073709551615",
                                               "18446744073709551616",
                                               "4611686018427387904",
                                               std::string(1000, '9'),
                                               "0." + std::string(400, '0') + "1"};
  return random.coin() ? random.one_of(odd) : std::to_string(random.between(0, 1100));
}

std::string mutated(std::string text, const std::string& other, Random& random) {
  constexpr std::array<Change, 11> changes{flip,        put_byte,      put_escape,    cut,        truncate, copy_range,
                                           change_word, change_number, repeat_member, lose_quote, nest};
  for (Index left = random.between(1, random.coin() ? 2 : 6); left > 0; --left)
    random.one_of(changes)(text, other, random);
  if (text.size() > longest_text) text.resize(longest_text);
  return text;
}

}  // namespace lockstep
