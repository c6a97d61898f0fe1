#include "oracle/campaign/draw.h"
#include "property_tests/fuzz/readers.h"

#include <sstream>

namespace lockstep {
namespace {

// The first call has the numbers that its words say; tp ranks are a world of their own.
void expect_said(const std::string& text, const Call& call) {
  std::istringstream words(text.substr(0, text.find(';')));
  for (std::string word; words >> word;) {
    const std::string key = word.substr(0, word.find('=')), value = word.substr(key.size() + 1);
    const bool is_number = value.find_first_not_of("0123456789") == value.npos && (value[0] != '0' || value == "0");
    if (is_number && key != "calls" && key != "world" && key_named(key).get(call) != value)
      throw Wrong(word + " is read as " + key_named(key).get(call));
  }
}

void read(const std::string& text) {
  const Case a_case = parse_case(text);
  expect_said(text, a_case.first());
  const std::string line = print(a_case);
  if (parse_case(line) != a_case) throw Wrong("what is printed is read as another case: " + line);
  if (print(parse_case(line)) != line) throw Wrong("what is printed is printed otherwise when read: " + line);
}

}  // namespace

Reader case_lines() {
  Reader reader{.name = "case", .read = read};
  for (Index number = 0; number < 200; ++number) reader.valid.push_back(print(draw_case(1, number, 0, {})));
  for (const char* line :
       {"op=row_linear pass=both tp=4 tokens=64 seed=42 executor=adversary:7 ; tokens=3 ; tokens=5 calls=2", "calls=64",
        "tp=2 world=8 groups=permuted:18446744073709551615 calls=3",
        "recipe=delayed wire=fp8 amax=most_recent history=1024 margin=8 fault=rank_missing:3",
        "dtype=bf16 arithmetic=hopper device=cuda executor=mpi counter=18446744073709551615"})
    reader.valid.emplace_back(line);
  return reader;
}

}  // namespace lockstep
