// The fuzzer finds what it looks for, and what it reads is what it says.
#include "property_tests/fuzz/readers.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace lockstep {
namespace {

using testing::HasSubstr;

// What is found in 2000 texts that are spoilt ones of these, of a reader that does wrong with few of them.
std::string found(std::function<void(const std::string&)> read) {
  const Reader reader{.name = "", .valid = {"a=1 b=2", R"({"a": [1, 22]})"}, .read = std::move(read)};
  Counts counts;
  for (Index number = 0; number < 2000; ++number)
    if (const auto finding = look_at(reader, 1, number, counts)) {
      EXPECT_EQ(finding->input, input_of(reader, 1, finding->number));
      return finding->what;
    }
  return "";
}

bool has(const std::string& text, std::string_view what) { return text.find(what) != text.npos; }

TEST(Fuzz, FindsNothingWhereNothingIsWrong) {
  EXPECT_EQ(found([](const std::string& text) {
              if (has(text, "[[")) refuse("it nests");
            }),
            "");
}

TEST(Fuzz, FindsEachKindOfMistake) {
  EXPECT_THAT(found([](const std::string& text) { std::stoull(text.substr(2)); }), HasSubstr("no refusal: stoull"));
  EXPECT_THAT(found([](const std::string& text) {
                if (has(text, "9223372036854775808")) throw Wrong("another");
              }),
              HasSubstr("another"));
  EXPECT_THAT(found([](const std::string& text) {
                if (has(text, "\n")) refuse("{}", text);
              }),
              HasSubstr("not printable"));
  EXPECT_THAT(found([](const std::string& text) {
                if (has(text, "99999")) refuse("{}", std::string(2000, 'x'));
              }),
              HasSubstr("2000 characters"));
  EXPECT_THAT(found([](const std::string& text) {
                if (text.size() > 50'000) refuse("{}", "");
              }),
              HasSubstr("without a word"));
  EXPECT_THAT(found([](const std::string& text) { refuse("{} is refused", text.size()); }), HasSubstr("a valid text"));
}

// Each text once, whenever it is asked for.
TEST(Fuzz, ATextIsThatOfItsNumber) {
  for (const Reader& reader : {case_lines(), configurations(), safetensors(), journals()}) {
    const Index first = std::ssize(reader.valid);
    Index same = 0;
    for (Index number = first; number < first + 200; ++number) {
      EXPECT_EQ(input_of(reader, 5, number), input_of(reader, 5, number));
      same += input_of(reader, 5, number) == input_of(reader, 6, number) ? 1 : 0;
    }
    EXPECT_LT(same, 20) << reader.name;
  }
}

}  // namespace
}  // namespace lockstep
