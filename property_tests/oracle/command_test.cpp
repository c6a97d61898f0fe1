// The command as a user meets it: what it prints and how it ends.
#include "property_tests/oracle/shell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace {

using testing::AllOf;
using testing::HasSubstr;

using lockstep::Ended;

Ended lockstep_with(const std::string& arguments) { return lockstep::shell("$L " + arguments); }

TEST(Command, AgreesOnRandomCases) {
  const Ended ended = lockstep_with("run --cases 50 --seed 1");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("50 cases"), HasSubstr("0 disagree"), HasSubstr("0 blind"), HasSubstr("verdict: agree")));
}

TEST(Command, JudgesEveryCaseOfEveryBatch) {
  for (int cases : {1, 64, 70}) {
    const Ended ended = lockstep_with("run --seed 1 --json - --cases " + std::to_string(cases));
    EXPECT_EQ(nlohmann::json::parse(ended.output)["cases"], cases);
  }
}

TEST(Command, TheFaultIsCaughtShrunkAndExplained) {
  const Ended ended = lockstep_with("run --cases 100 --seed 1 --fault bias_not_advanced");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("smallest"), HasSubstr("bias pointer is not advanced"),
                                  HasSubstr("reads as the bias of columns 0..8 in place of columns 9..17"),
                                  HasSubstr("lockstep run --case")));
}

TEST(Command, JsonHasTheContentOfTheText) {
  const Ended ended = lockstep_with("run --cases 100 --seed 1 --fault rank_missing --json -");
  EXPECT_EQ(ended.code, 1);
  const auto json = nlohmann::json::parse(ended.output);
  for (const char* key : {"verdict", "cases", "agree", "disagree", "blind", "seconds"})
    EXPECT_TRUE(json.contains(key)) << key;
  ASSERT_EQ(json["failures"].size(), 1u);
  for (const char* key : {"case", "class", "where", "explanation", "readings"})
    EXPECT_TRUE(json["failures"][0].contains(key)) << key;
}

TEST(Command, BadInputIsASentenceAndExitCode2) {
  const std::pair<const char*, const char*> bad[] = {
      {"run --case 'colour=red'", "no key \"colour\""},
      {"run --case 'tp=0'", "from 1 to 72"},
      {"run --case 'tokens=-1'", "tokens=\"-1\""},
      {"run --case 'tokens=1000000000 in=1000000000 out=1000000000'", "GiB of memory"},
      {"run --case 'tp=72 splits=1024'", "operations"},
      {"run --fault nonsense", "catalogue has"},
      {"run --device tpu", "host or cuda"},
      {"run --preset everything", "models"},
      {"run --cases -3", "--cases"},
      {"run --data red", "planted"},
      {"run --data ''", "planted"},
      {"run --cases 10 --data rank_bits", "give it a --case"},
      {"run --max-blind nan", "from 0 to 1"},
      {"run --case 'tokens=1099511627776 in=0 out=0'", "GiB of memory"},
      {"run --case 'tp=2' --case 'tokens=1099511627776'", "--case \"op=gemm_rs"},
      {"run --case 'bias=none fault=bias_not_advanced'", "no place for it"},
      {"run --cases 5 --overlap x.json", "not with random ones"},
      {"run --case 'tp=2' --overlap /nonexistent.json", "/nonexistent.json"},
      {"run --cases 2 check x", "check"},
      {"plan --case tp=2 --trace /nonexistent/x", "/nonexistent/x: the file cannot be written"},
      {"plan --case tp=2 --trace ''", "--trace"},
      {"run --case 'data=normal ; data=planted'", "may not change"},
      {"run --case 'fault=bias_not_advanced:99'", "1 site"},
      {"run --case 'fault=none:5'", "fault=\"none:5\""},
      {"run --cases 1 --json /nonexistent/file", "cannot be written"},
      {"plan --case 'tp=99'", "from 1 to 72"},
      {"check /nonexistent.safetensors", "/nonexistent.safetensors"},
      {"check /etc/passwd", "/etc/passwd"},
      {"fly", "fly"},
      {"", "run, check, faults list"},
      {"faults", "run, check, faults list"}};
  for (const auto& [arguments, words] : bad) {
    const Ended ended = lockstep_with(arguments);
    EXPECT_EQ(ended.code, 2) << arguments << "\n" << ended.output;
    EXPECT_THAT(ended.output, HasSubstr(words)) << arguments;
  }
}

TEST(Command, ALateRankIsOneOfTheCases) {
  const Ended ended = lockstep_with("run --cases 40 --executor late:71 --seed 2 --keep-going --json -");
  EXPECT_EQ(ended.code, 0) << ended.output;
}

TEST(Command, AClosedOrFullStandardErrorChangesNoResult) {
  EXPECT_EQ(lockstep_with("run --cases 5 2>&-").code, 0);
  EXPECT_EQ(lockstep_with("check /nonexistent 2>&-").code, 2);
  EXPECT_EQ(lockstep_with("check /nonexistent 2>/dev/full").code, 2);
  const int status = system(LOCKSTEP_COMMAND " run --case bogus 2>/dev/full >/dev/null");
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(Command, AFullStandardOutputIsASentence) {
  const Ended ended = lockstep_with("--help >/dev/null; { " LOCKSTEP_COMMAND " plan --case 'tp=8' >/dev/full; }");
  EXPECT_NE(ended.code, 0);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("lockstep: "), testing::Not(HasSubstr("mistake"))));
}

TEST(Command, DrawsATimeline) {
  const Ended ended = lockstep_with("plan --case 'op=row_linear pass=both tp=3' --trace -");
  EXPECT_FALSE(nlohmann::json::parse(ended.output)["traceEvents"].empty());
}

TEST(Command, NothingTestedIsBlind) {
  EXPECT_EQ(lockstep_with("run --cases 0").code, 3);
  EXPECT_EQ(lockstep_with("run --case 'tokens=0'").code, 3);
  EXPECT_EQ(lockstep_with("run --cases 1 --seed 3 --fault weight_not_transposed").code, 3);  // it has no place there
  EXPECT_EQ(lockstep_with("run --case 'tp=4 tokens=16 in=16 out=16 data=rank_bits'").code, 3);
}

TEST(Command, AJudgeDoesNotChangeTheDataThatWereAskedFor) {
  for (const char* flags : {"--data normal --judge freivalds", "--data specials --judge bound"})
    EXPECT_EQ(lockstep_with(std::string("run --cases 3 ") + flags).code, 2) << flags;
}

TEST(Command, WithoutAGpuExecutorItCouldNotRun) { EXPECT_EQ(lockstep_with("run --device cuda --cases 1").code, 125); }

TEST(Command, PrintsPlanFaultsAndScore) {
  EXPECT_THAT(lockstep_with("plan --case 'tp=2 splits=2'").output,
              AllOf(HasSubstr("gemm, split 1"), HasSubstr("ready@1 >= 2")));
  EXPECT_THAT(lockstep_with("faults list").output, HasSubstr("reduce_before_ready"));
  const Ended score = lockstep_with("faults score --generated --sample 5000");
  EXPECT_EQ(score.code, 0) << score.output;
  EXPECT_THAT(score.output, HasSubstr("100.000 %, 99.5 % are asked"));
  EXPECT_EQ(lockstep_with("faults score --named --cases 1").code, 1);
}

TEST(Command, OneRefusedFileDoesNotHideTheOthers) {
  const Ended ended = lockstep_with("check /nonexistent " LOCKSTEP_TEST_DATA "/h200_gemm/bf16.safetensors");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("/nonexistent"), HasSubstr("0 of 4096 elements differ"), HasSubstr("verdict: invalid")));
}

TEST(Command, ChecksRecordedOutputs) {
  const Ended ended = lockstep_with("check " LOCKSTEP_TEST_DATA "/*/*.safetensors");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("judge declared"), HasSubstr("verdict: agree")));
}

}  // namespace
