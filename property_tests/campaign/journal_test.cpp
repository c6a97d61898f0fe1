// A journal gives back what was put into it, whatever it is cut off at.
#include "oracle/campaign/journal.h"

#include "property_tests/case_generator.h"
#include "property_tests/file_text.h"
#include "property_tests/oracle/temporary_file.h"
#include "property_tests/refusal_by.h"
#include "reference/contract/device_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

namespace lockstep {
namespace {

using testing::HasSubstr;

const JournalHeader header{{"op=gemm_rs"}, 7, 18446744073709551615u, {{"device", "host"}}, true, 0.25};

CaseResult result_of(const Case& a_case, Outcome outcome) {
  CaseResult result{a_case, {outcome, "exact", {}, "a \"finding\"\n\xff", 0.5, 0xFEDCBA9876543210u}, "a_fault:3", 0.25};
  result.verdict.comparison.compared = 5, result.verdict.comparison.differing = 2;
  result.verdict.comparison.utilisation = std::numeric_limits<double>::infinity();
  return result;
}

RC_GTEST_PROP(Journal, GivesBackEveryRecord, ()) {
  const Case a_case = *arbitrary_case("rank_missing:3");
  const auto outcome = *rc::gen::elementOf(std::vector<Outcome>(std::begin(all_outcomes), std::end(all_outcomes)));
  const Record begins{3, a_case, {}}, ends{3, a_case, result_of(a_case, outcome)};
  RC_ASSERT(!record_of(line_of(begins)).result);
  RC_ASSERT(record_of(line_of(begins)).a_case == a_case);
  const Record back = record_of(line_of(ends));
  RC_ASSERT(back.number == 3);
  RC_ASSERT(line_of(back) == line_of(ends));  // an invalid byte is U+FFFD from then on
  RC_ASSERT(back.result->verdict.outcome == outcome);
  RC_ASSERT(back.result->verdict.outputs == 0xFEDCBA9876543210u);
  RC_ASSERT(back.result->verdict.comparison.utilisation == std::numeric_limits<double>::infinity());
}

// Cases 0 to 3 have ended, 4 has begun, with other data once more.
void write_some(const std::string& path) {
  std::filesystem::remove(path);
  Journal journal(path, header);
  for (Index number = 0; number < 4; ++number) {
    const Case a_case = parse_case("op=gemm_rs tokens=" + std::to_string(number));
    journal.add({number, a_case, {}});
    journal.add({number, a_case, result_of(a_case, Outcome::agree)});
  }
  journal.add({4, parse_case("op=ag_gemm"), {}});
  journal.add({4, parse_case("op=ag_gemm seed=1"), {}});
}

// Wherever a journal ends, what is whole counts, and it goes on from there.
TEST(Journal, IsWholeWhereverItIsCutOff) {
  const TemporaryFile file("journal");
  write_some(file.path);
  const std::string whole = file_text(file.path);
  const std::size_t first_line = whole.find('\n') + 1;
  for (std::size_t length = first_line; length <= whole.size(); length += 11) {
    put_file_text(file.path, whole.substr(0, length));
    const JournalContents read = read_journal(file.path);
    ASSERT_EQ(read.header, header);
    const auto lines = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    ASSERT_EQ(std::ssize(read.done), std::min<Index>(4, (lines - 1) / 2));
    ASSERT_EQ(std::ssize(read.unfinished), lines >= 10 || lines % 2 == 0 ? 1 : 0) << lines;
    { Journal(file.path, read).add({6, parse_case("op=gemm_ar"), {}}); }
    ASSERT_TRUE(read_journal(file.path).unfinished.contains(6));
  }
  put_file_text(file.path, whole);
  const JournalContents read = read_journal(file.path);
  EXPECT_EQ(read.begun.at(4), 1);
  EXPECT_EQ(read.unfinished.at(4), parse_case("op=ag_gemm seed=1"));
  EXPECT_EQ(read.first_begun.at(4), parse_case("op=ag_gemm"));
}

TEST(Journal, CountsInHowManyRunsACaseBegan) {
  const TemporaryFile file;
  write_some(file.path);
  for (Index runs = 2; runs < 4; ++runs) {
    { Journal(file.path, read_journal(file.path)).add({4, parse_case("op=ag_gemm"), {}}); }
    EXPECT_EQ(read_journal(file.path).begun.at(4), runs);
  }
}

TEST(Journal, IsOneCampaignsAtATime) {
  const TemporaryFile file;
  write_some(file.path);
  const JournalContents read = read_journal(file.path);
  const Journal first(file.path, read);
  EXPECT_THAT(refusal_by([&] { Journal(file.path, read); }), HasSubstr("another campaign writes to it"));
}

TEST(Journal, RefusesWhatIsNone) {
  const TemporaryFile file("journal");
  const auto said_of = [&](const std::string& text) {
    put_file_text(file.path, text);
    return refusal_by([&] { read_journal(file.path); });
  };
  EXPECT_THAT(said_of(""), HasSubstr("no whole line"));
  EXPECT_THAT(said_of("{}\n"), HasSubstr("its first line"));
  EXPECT_THAT(said_of("nonsense\n"), HasSubstr("its first line"));
  write_some(file.path);
  const std::string whole = file_text(file.path);
  EXPECT_THAT(said_of(whole + "{\"begin\": 5}\n"), HasSubstr("line 12"));
  EXPECT_THAT(said_of(whole + "{\"begin\": 5, \"case\": \"op=none\"}\n"), HasSubstr("op"));
  std::string other = whole;
  other.replace(other.find("\"journal\":1"), 11, "\"journal\":2");
  EXPECT_THAT(said_of(other), HasSubstr("version 2"));
  EXPECT_THAT(refusal_by([&] { read_journal("/nowhere"); }), HasSubstr("cannot be read"));
  EXPECT_THAT(refusal_by([&] { Journal(file.path, header); }), HasSubstr("there already"));
}

// A number that no case has would be an index into the cases; what is not a whole number would be made one.
TEST(Journal, RefusesWhatWouldBeWrittenOtherwise) {
  const TemporaryFile file("journal");
  write_some(file.path);
  const std::string whole = file_text(file.path);
  const std::pair<const char*, const char*> others[] = {
      {R"("begin":4)", R"("begin":-1)"},
      {R"("begin":4)", R"("begin":1e300)"},
      {R"("begin":4)", R"("begin":4.5)"},
      {R"("begin":4)", R"("begin":true)"},
      {R"("begin":4)", R"("more":1,"begin":4)"},
      {R"("end":0)", R"("end":9223372036854775808)"},
      {R"("compared":5)", R"("compared":-5)"},
      {R"("outputs":"fedc)", R"("outputs":"-edc)"},
      {R"("journal":1)", R"("journal":1.5)"},
      {R"("random_cases":7)", R"("random_cases":-7)"},
      {R"("random_cases":7)", R"("random_cases":9223372036854775807)"},
      {R"("seed":18446744073709551615)", R"("seed":1e300)"}};
  for (const auto& [was, is] : others) {
    std::string other = whole;
    ASSERT_NE(other.find(was), std::string::npos) << was;
    other.replace(other.find(was), std::string_view(was).size(), is);
    put_file_text(file.path, other);
    EXPECT_THAT(refusal_by([&] { read_journal(file.path); }),
                testing::AnyOf(HasSubstr("is no record of a case"), HasSubstr("its first line is not that of one")))
        << is;
  }
}

TEST(Journal, EndsTheCampaignWhereTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this machine has no /dev/full";
  EXPECT_THROW(Journal("/dev/full", header), DeviceError);
}

}  // namespace
}  // namespace lockstep
