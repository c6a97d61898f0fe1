// Failures that are saved are judged first, and none is lost.
#include "oracle/campaign/saved_failures.h"
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"
#include "property_tests/oracle/temporary_folder.h"
#include "property_tests/refusal_by.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Failure failure_of(const char* line) {
  const Case a_case = parse_case(line);
  return {a_case, a_case, {}, {.kind = "offset", .where = "there", .sentence = "two\nlines"}};
}

constexpr const char* failing = "op=gemm_rs tp=2 tokens=4 in=4 out=4 splits=2 fault=bias_not_advanced";

TEST(SavedFailures, ComeBackByNameAndAreNeverWrittenTwice) {
  const TemporaryFolder folder;
  const std::string deep = folder.path + "/a/b";
  EXPECT_TRUE(saved_failures(deep).all.empty());
  const std::string one = save(deep, failure_of(failing)), other = save(deep, failure_of("op=ag_gemm tp=3"));
  EXPECT_NE(one, other);
  EXPECT_EQ(saved_failures(deep).all.size(), 2u);
  EXPECT_EQ(saved_failure(deep, one).a_case, parse_case(failing));
  EXPECT_EQ(saved_failure(deep, one.substr(0, 8)).kind, "offset");
  const auto before = std::filesystem::last_write_time(deep + "/" + one + ".json");
  EXPECT_EQ(save(deep, failure_of(failing)), one);
  EXPECT_EQ(std::filesystem::last_write_time(deep + "/" + one + ".json"), before);
}

TEST(SavedFailures, AFileThatHoldsAnotherCaseStays) {
  const TemporaryFolder folder;
  const std::string name = save(folder.path, failure_of("op=ag_gemm tp=3"));
  const auto own = folder.path + "/" + saved_name(parse_case(failing)) + ".json";
  std::filesystem::rename(folder.path + "/" + name + ".json", own);
  EXPECT_THAT(refusal_by([&] { save(folder.path, failure_of(failing)); }), HasSubstr("holds another case"));
  EXPECT_EQ(saved_failures(folder.path).all[0].a_case, parse_case("op=ag_gemm tp=3"));
}

TEST(SavedFailures, ABadFileIsASentenceAndKeepsNoOtherFromBeingRead) {
  const TemporaryFolder folder;
  save(folder.path, failure_of(failing));
  for (const char* content :
       {"", "[]", "{}", R"({"case": 3})", R"({"case": "tp=0", "class": "", "where": "", "explanation": ""})"})
    std::ofstream(folder.path + "/" + std::to_string(std::hash<std::string>{}(content)) + ".json") << content;
  std::filesystem::create_directory(folder.path + "/folder.json");
  std::ofstream(folder.path + "/notes.txt") << "not ours";
  const SavedFailures saved = saved_failures(folder.path);
  EXPECT_EQ(saved.all.size(), 1u);
  EXPECT_EQ(saved.refused.size(), 6u);
  for (const std::string& sentence : saved.refused) EXPECT_THAT(sentence, HasSubstr(folder.path));
  EXPECT_THAT(refusal_by([&] { saved_failure(folder.path, "zz"); }), HasSubstr("none of the names"));
  EXPECT_THAT(refusal_by([&] { saved_failure(folder.path, ""); }), HasSubstr("none of the names"));
}

TEST(PromotedLine, IsOneLineThatACaseFileHasOnce) {
  const TemporaryFile file("tp=3  # first\n\n# nothing\ntp=4");
  const SavedFailure saved{"0123", parse_case(failing), "offset", "there", "two\nlines"};
  const std::string line = promoted_line(saved, "bias\nagain");
  EXPECT_THAT(line, HasSubstr("  # bias again: two lines"));
  for (int times = 0; times < 2; ++times) promote(file.path, line);
  const auto lines = read_case_file(file.path);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "tp=3");
  EXPECT_EQ(parse_case(lines[2]), parse_case(failing));
}

TEST(CaseFile, ABadLineIsNamed) {
  const TemporaryFile file("tp=3\ntp=0\n");
  EXPECT_THAT(refusal_by([&] { read_case_file(file.path); }),
              AllOf(HasSubstr(", line 2: "), HasSubstr("from 1 to 72")));
}

TEST(DbCommand, RunSavesWhatFailsAndBeginsWithIt) {
  const TemporaryFolder folder;
  const std::string db = " --db " + folder.path;
  EXPECT_EQ(shell("$L run --cases 60 --seed 1 --fault bias_not_advanced" + db).code, 1);
  const Ended again = shell("$L run --cases 5 --json -" + db);
  EXPECT_EQ(again.code, 1);
  EXPECT_EQ(nlohmann::json::parse(again.output.substr(again.output.find('{')))["cases"], 1);
  const Ended list = shell("$L db list" + db);
  EXPECT_EQ(list.code, 0);
  EXPECT_THAT(list.output,
              AllOf(HasSubstr("offset"), HasSubstr("fault=bias_not_advanced"), HasSubstr("1 saved failures")));
  const Ended replay = shell("$L db replay" + db);
  EXPECT_EQ(replay.code, 1);
  EXPECT_THAT(replay.output, HasSubstr("1 fail still, 0 agree now"));
  const std::string name = saved_failures(folder.path).all[0].name, file = folder.path + "/regressions";
  EXPECT_EQ(shell("$L db promote " + name.substr(0, 6) + " --as bias --to " + file + db).code, 0);
  EXPECT_EQ(shell("$L run --case-file " + file).code, 1);
  EXPECT_EQ(shell("$L db promote nothing" + db).code, 2);
}

// Before anything runs, so that no failure is found that is then lost.
TEST(DbCommand, AFolderThatCannotBeMadeIsRefusedFirst) {
  const TemporaryFile file("no folder"), journal;
  for (const char* arguments : {"--cases 3", "--cases 3 --fault bias_not_advanced --seed 1"}) {
    const Ended ended = shell("$L run " + std::string(arguments) + " --db " + file.path + "/db");
    EXPECT_EQ(ended.code, 2) << ended.output;
    EXPECT_THAT(ended.output, AllOf(HasSubstr("the folder cannot be made"), testing::Not(HasSubstr("cases"))));
  }
  std::filesystem::remove(journal.path);
  EXPECT_EQ(shell("$L run --cases 3 --journal " + journal.path).code, 0);
  EXPECT_EQ(shell("$L run --resume " + journal.path + " --db " + file.path + "/db").code, 2);
}

TEST(DbCommand, AnEmptyFolderTestsNothing) {
  const TemporaryFolder folder;
  EXPECT_EQ(shell("$L db list --db " + folder.path + "/none").code, 0);
  EXPECT_EQ(shell("$L db replay --db " + folder.path).code, 3);
  std::ofstream(folder.path + "/x.json") << "{";
  EXPECT_EQ(shell("$L db list --db " + folder.path).code, 2);
  EXPECT_EQ(shell("$L db replay --db " + folder.path).code, 2);
  EXPECT_EQ(shell("$L db").code, 2);
}

}  // namespace
}  // namespace lockstep
