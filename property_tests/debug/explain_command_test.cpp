// lockstep explain as a user meets it.
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* failing = "op=gemm_rs tp=2 tokens=8 in=8 out=12 splits=3 fault=bias_not_advanced";

Ended explain(const std::string& arguments) { return shell("$L explain " + arguments); }
std::string quoted(const std::string& line) { return "'" + line + "'"; }

TEST(ExplainCommand, SaysWhatWhereWhyAndWhatToDo) {
  const Ended ended = explain("--case " + quoted(failing));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("disagree by judge exact"), HasSubstr("why      bias_not_advanced"),
                    HasSubstr("first at call 0, rank 0, compute 1: gemm, split 1"), HasSubstr("reads as the bias of"),
                    HasSubstr("pattern  call 0, y: "), HasSubstr("splits 1..2 of 3"), HasSubstr("a base that is not"),
                    HasSubstr("go on    lockstep reduce --case 'op=gemm_rs")));
}

TEST(ExplainCommand, JsonHasTheContentOfTheText) {
  const auto json = nlohmann::json::parse(explain("--json - --case " + quoted(failing)).output);
  EXPECT_EQ(json["verdict"], "disagree");
  EXPECT_EQ(json["class"], "offset");
  EXPECT_EQ(json["faults"][0], "bias_not_advanced");
  for (const char* key : {"case", "patterns", "readings", "advice", "commands"}) EXPECT_FALSE(json[key].empty()) << key;
}

TEST(ExplainCommand, OfACaseThatAgreesThereIsNothing) {
  const Ended ended = explain("--case 'op=gemm_rs tp=2'");
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.output, HasSubstr("nothing to explain"));
}

TEST(ExplainCommand, AHangIsExitCode124) {
  const Ended ended = explain("--case 'op=ag_gemm tp=3 fault=receive_before_send'");
  EXPECT_EQ(ended.code, 124);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("hang by judge hang"), HasSubstr("lockstep hazards")));
}

TEST(ExplainCommand, TakesTheLastFailureOfARun) {
  const TemporaryFile json;
  shell("$L run --case " + quoted(failing) + " --json " + json.path);
  EXPECT_EQ(explain("--of " + json.path).code, 1);
}

TEST(ExplainCommand, BadInputIsASentenceAndExitCode2) {
  const TemporaryFile no_json("{"), no_list("{}"), none(R"({"failures": []})"), no_case(R"({"failures": [{}]})"),
      number(R"({"failures": [{"case": 3}]})"), list("[1]"), odd(R"({"failures": [{"case": "colour=red"}]})");
  const std::pair<std::string, const char*> bad[] = {
      {"", "name a case"},
      {"--case ''  --of x", "excludes"},
      {"--case 'tp=0'", "from 1 to 72"},
      {"--case 'tp=2 fault=nonsense'", "catalogue has"},
      {"--case 'tp=1 fault=rank_missing'", "no place for it"},
      {"--case 'tp=2 executor=mpi'", "only run judges"},
      {"--of /nowhere/x", "/nowhere/x"},
      {"--of /dev/null", "/dev/null"},
      {"--of " + no_json.path, "JSON"},
      {"--of " + no_list.path, "no list"},
      {"--of " + list.path, "no list"},
      {"--of " + none.path, "no failure in it"},
      {"--of " + no_case.path, "no \"case\""},
      {"--of " + number.path, "no \"case\""},
      {"--of " + odd.path, "no key \"colour\""},
      {"--case 'tp=2' --json /nowhere/x", "cannot be written"},
      {"--case 'tokens=1000000000 in=1000000000 out=1000000000'", "GiB of memory"}};
  for (const auto& [arguments, sentence] : bad) {
    const Ended ended = explain(arguments);
    EXPECT_EQ(ended.code, 2) << arguments << ": " << ended.output;
    EXPECT_THAT(ended.output, HasSubstr(sentence)) << arguments;
  }
}

}  // namespace
}  // namespace lockstep
