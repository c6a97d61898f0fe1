// lockstep run --kernel: the right kernel agrees, each wrong one has its verdict in its words, and the campaign lives.
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"
#include "property_tests/oracle/temporary_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string small = "--case 'op=gemm_rs tp=2 tokens=2 in=1 out=1 bias=none splits=1' ";

std::string library(const std::string& name) { return LOCKSTEP_KERNELS "/" + name + ".so"; }

Ended judged(const std::string& kernel, const std::string& arguments) {
  return shell("$L run --kernel " + library(kernel) + " " + arguments);
}

nlohmann::json json_of(const std::string& kernel, const std::string& arguments) {
  const Ended ended = shell("$L run --json - --kernel " + library(kernel) + " " + arguments + " 2>/dev/null");
  return nlohmann::json::parse(ended.output);
}

TEST(KernelCommand, TheRightKernelAgrees) {
  const Ended ended = judged("plain", "--cases 60 --seed 1");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("60 cases"), HasSubstr("bound, "), HasSubstr("exact)"),
                                  HasSubstr("0 disagree"), HasSubstr("0 blind"), HasSubstr("verdict: agree")));
}

TEST(KernelCommand, TheRightKernelAgreesNightly) {
  for (int seed = 10; seed < 14; ++seed) {
    const Ended ended = judged("plain", fmt::format("--cases 3000 --seed {}", seed));
    EXPECT_EQ(ended.code, 0) << ended.output;
  }
}

// Every operation and pass that it implements, FP8 and main gradients, several calls on one state.
TEST(KernelCommand, TheRightKernelAgreesOnEveryOperation) {
  std::string cases;
  for (const char* line :
       {"op=gemm_rs tp=1", "op=gemm_rs tp=3 method=accumulate", "op=ag_gemm tp=3 calls=2", "op=gemm_ar tp=3 wire=f32",
        "op=row_linear pass=both tp=3 bias=after", "op=row_linear pass=both tp=3 recipe=delayed bias=none calls=3",
        "op=column_linear pass=both tp=3 accumulate=f32 calls=2", "op=column_linear pass=backward frozen=1 tp=3",
        "op=column_linear pass=both tp=3 recipe=current bias=none",
        "op=row_linear ; pass=both ; op=ag_gemm pass=forward", "op=gemm_rs judge=freivalds",
        "op=row_linear pass=both data=normal dtype=fp16", "op=ag_gemm data=address bias=none"})
    cases += fmt::format("--case '{}' ", line);
  const Ended ended = judged("plain", cases);
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("13 agree (1 bound, 11 exact, 1 freivalds)"));
}

struct Wrong {
  const char* kernel;
  std::string arguments;
  int code;
  std::vector<const char*> words;
};

TEST(KernelCommand, EveryMistakeHasItsVerdict) {
  for (const Wrong& wrong : std::vector<Wrong>{
           {"bias_times_ranks",
            "--cases 60 --seed 1",
            1,
            {"disagree by judge exact", "tp=2 tokens=1 in=1 out=1", "reads as the bias 4 times in 720 of 720",
             "pattern"}},
           {"stale_second_call",
            "--case 'op=gemm_rs tp=3 tokens=6 in=9 out=5 calls=2'",
            1,
            {"disagree by judge exact", "element  call 1 rank 0", "reads as X left over from call 0 in 30 of 30"}},
           {"crash_on_no_tokens",
            "--cases 100 --seed 1",
            1,
            {"crash by judge process", "signal 6", "smallest op=ag_gemm pass=forward tp=1 tokens=0 in=1 out=1"}},
           {"one_past_output",
            "--case 'op=gemm_rs tp=2 tokens=4 in=3 out=5'",
            1,
            {"disagree by judge memory: y of rank 0 in call 0, 1 x 1: the element 1 past its last was written"}},
           {"changes_input",
            "--case 'op=gemm_rs tp=2 tokens=4 in=3 out=5'",
            1,
            {"disagree by judge memory: x of rank 0 in call 0, 1 x 1: row 0 column 0 was written, and it is an input"}},
           {"returns_error",
            "--cases 60 --seed 1",
            1,
            {"failed by judge kernel: out must be even (error 7 of run in call 0)", "1 failed"}},
           {"calls_exit",
            "--case 'op=gemm_rs tp=2 tokens=4 in=3 out=5'",
            1,
            {"crash by judge process", "exit code 0", "tp=1 tokens=1 in=1 out=1", "splits=2"}},
           {"speaks_gibberish",
            "--case 'op=gemm_rs tp=1'",
            1,
            {R"(failed by judge kernel: \xff\x1b[31m\x0a (error 1 of run in call 0))"}},
           {"writes_anywhere",
            "--case 'op=gemm_rs tp=1'",
            1,
            {"crash by judge process: its process wrote into the pipe of its results"}},
           {"endless",
            small + "--case-timeout 1",
            124,
            {"hang by judge process", "longer than 1 s", "verdict: hang"}}}) {
    SCOPED_TRACE(wrong.kernel);
    const Ended ended = judged(wrong.kernel, wrong.arguments);
    EXPECT_EQ(ended.code, wrong.code) << ended.output;
    for (const char* words : wrong.words) EXPECT_THAT(ended.output, HasSubstr(words));
    EXPECT_THAT(ended.output, HasSubstr("again    lockstep run --kernel '" + library(wrong.kernel) + "' --case"));
  }
}

// Data that are not exact show how Lockstep itself rounds; a second process that comes back is no second judge.
TEST(KernelCommand, WhatALibraryLeavesBehindIsSetBack) {
  for (const char* kernel : {"leaves_rounding_upward", "comes_back_twice"}) {
    const Ended ended = judged(kernel, "--data log_uniform --cases 60 --seed 1");
    EXPECT_EQ(ended.code, 0) << kernel << ended.output;
    EXPECT_THAT(ended.output, AllOf(HasSubstr("60 cases"), HasSubstr("0 disagree")));
  }
}

// Without --keep-going what comes after the first failure is not told, and with it nothing is lost.
TEST(KernelCommand, TheCampaignGoesOn) {
  const std::string three = small + "--case 'op=gemm_rs tp=1 tokens=0' --case 'op=gemm_rs tp=2 tokens=2 in=1 out=1' ";
  for (const auto& [kernel, verdict, cases] : {std::tuple{"bias_times_ranks", "disagree", "--cases 40 --seed 1 "},
                                               {"crash_on_no_tokens", "crash", "--cases 40 --seed 1 "},
                                               {"returns_error", "failed", three.c_str()},
                                               {"one_past_output", "disagree", three.c_str()}}) {
    const auto json = json_of(kernel, cases + std::string("--keep-going"));
    EXPECT_EQ(json["cases"], cases == three ? 3 : 40) << kernel;
    EXPECT_GT(json[verdict], 1) << kernel;
    EXPECT_GE(json["agree"].get<int>() + json["empty"].get<int>(), 1) << kernel;
    EXPECT_EQ(json["failures"].size(), json[verdict]) << kernel;
    EXPECT_EQ(json["failures"][0]["kernel"], library(kernel));
    EXPECT_EQ(json["failures"][0]["verdict"], verdict);
    const std::string last = json["failures"].back()["explanation"];
    EXPECT_EQ(last.starts_with("not made small: 2 others"), json[verdict] > 2 && cases != three) << last;
  }
}

TEST(KernelCommand, AHangDoesNotKeepOthersFromTheirVerdict) {
  const auto json = json_of(
      "endless", "--case-timeout 1 --keep-going " + small + "--case 'op=gemm_rs tp=1' --case 'op=ag_gemm tp=1'");
  EXPECT_EQ(json["hang"], 1);
  EXPECT_EQ(json["agree"], 2);
}

TEST(KernelCommand, AHangThatIsNotSeenAgainSaysSo) {
  const TemporaryFolder folder;
  const Ended ended = shell("LOCKSTEP_ONCE=" + folder.path + "/hung $L run --kernel " + library("hangs_once") +
                            " --case-timeout 1 --case 'op=gemm_rs tp=2'");
  EXPECT_EQ(ended.code, 124) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("hang by judge process"), HasSubstr("it failed once and then no more")));
}

TEST(KernelCommand, BadLibrariesAreASentence) {
  const TemporaryFile text("no library");
  const std::pair<std::string, const char*> bad[] = {
      {"/no/such/file.so", "there is no file of that name"},
      {text.path, "it cannot be loaded"},
      {library("without_symbol"), "no function lockstep_kernel_table"},
      {library("wrong_abi"), "version 99 of the interface"},
      {library("supports_nothing"), "none can be judged that wrong supports"},
      {library("supports_never_answers"), "was killed after 2 s"},
      {library("supports_answers_into_files"), "wrote into the pipe"},
      {library("on_load_never_end"), "was killed after 2 s"},
      {library("on_load_write_to_all_files"), "wrote into the pipe"}};
  for (const auto& [path, words] : bad) {
    const Ended ended = shell("$L run --case-timeout 2 --cases 5 --kernel '" + path + "'");
    EXPECT_EQ(ended.code, 2) << ended.output;
    EXPECT_THAT(ended.output, AllOf(HasSubstr("lockstep: --kernel \"" + path), HasSubstr(words)));
    EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
  }
}

TEST(KernelCommand, WhatTheInterfaceCannotSayIsRefused) {
  for (const auto& [arguments, words] : std::initializer_list<std::pair<const char*, const char*>>{
           {"--executor threads:1", "--executor"},
           {"--executor mpi", "executor=mpi"},
           {"--fault bias_missing", "--fault"},
           {"--device cuda", "--device"},
           {"--html page", "--html"},
           {"--case 'op=ag_gemm tp=2'", "op=ag_gemm tp=2: picky implements gemm_rs, column_linear"},
           {"--case 'tp=8 tokens=32'", "tp=8: picky takes 1 to 4 ranks"},
           {"--case 'tp=2 tokens=12'", "tokens=12: picky takes multiples of 8"},
           {"--case 'tp=2 in=16 out=7'", "picky does not support it"},
           {"--case 'recipe=mxfp8'", "recipe=mxfp8: a tensor has one scale"},
           {"--case 'recipe=delayed wire=fp8'", "wire=fp8"},
           {"--case 'op=column_linear pass=both recipe=current'", "bias gradient"},
           {"--case 'world=4'", "runs one group"},
           {"--case 'counter=3'", "counter=3"},
           {"--case 'executor=late:1'", "executor=late:1"},
           {"--case 'fault=rank_missing'", "fault=rank_missing"},
           {"--case 'data=specials'", "data=specials"},
           {"--case 'judge=relations'", "judge=relations"},
           {"--case 'device=cuda'", "memory of the host"}}) {
    const Ended ended = judged("picky", arguments);
    EXPECT_EQ(ended.code, 2) << arguments << ended.output;
    EXPECT_THAT(ended.output, HasSubstr(words)) << arguments;
  }
}

TEST(KernelCommand, OnlyWhatIsSupportedIsRunAndTheRestCounted) {
  const auto json = json_of("picky", "--cases 60 --seed 1");
  EXPECT_EQ(json["verdict"], "agree") << json;
  EXPECT_EQ(json["cases"], 60);
  EXPECT_GT(json["unsupported"], 60);
  EXPECT_THAT(judged("picky", "--cases 60 --seed 1").output, HasSubstr("more that were drawn are not supported"));
}

// What a library did is no failure of a program of ours, and is judged again with the library alone.
TEST(KernelCommand, ItsFailuresAreJudgedWithItAlone) {
  const TemporaryFolder folder;
  const std::string db = " --db " + folder.path + "/db ", json = folder.path + "/run.json";
  EXPECT_EQ(judged("bias_times_ranks", "--cases 60 --seed 1 --json " + json + db).code, 1);
  const Ended replayed = shell("$L db replay" + db), listed = shell("$L db list" + db);
  EXPECT_EQ(replayed.code, 2) << replayed.output;
  EXPECT_THAT(replayed.output, HasSubstr("it is a failure of the library \"" + library("bias_times_ranks")));
  EXPECT_THAT(listed.output, AllOf(HasSubstr("of the library"), HasSubstr("1 saved failures")));
  const std::string name = listed.output.substr(0, 16);
  EXPECT_EQ(shell("$L db promote " + name + db).code, 2);
  EXPECT_THAT(shell("$L run --cases 3" + db).output,
              AllOf(HasSubstr("3 cases in"), HasSubstr("1 saved failures are not judged: they are of other programs")));
  EXPECT_THAT(judged("bias_times_ranks", "--cases 0" + db).output, HasSubstr("disagree by judge exact"));
  for (const char* verb : {"explain", "reduce", "bisect", "report", "repeat"}) {
    const Ended ended = shell(fmt::format("$L {} --of {}", verb, json));
    EXPECT_EQ(ended.code, 2) << verb << ended.output;
    EXPECT_THAT(ended.output, HasSubstr("which run --kernel alone takes"));
  }
}

TEST(KernelCommand, WhatFailsWithEqualSizesAloneIsMadeSmallInAllCalls) {
  EXPECT_THAT(judged("stale_second_call", "--case 'op=gemm_rs tp=2 tokens=13 in=10 out=9 calls=2'").output,
              HasSubstr("smallest op=gemm_rs pass=forward tp=1 tokens=1 in=1 out=1"));
}

// A campaign that is ended goes on with the same library, and the verdicts in its journal are those of the whole.
TEST(KernelCommand, JournalAndJUnitHoldTheVerdicts) {
  const TemporaryFolder folder;
  const std::string journal = folder.path + "/journal", junit = folder.path + "/junit";
  const std::string arguments = "--cases 16 --seed 1 --keep-going ";
  const auto picky = json_of("picky", arguments + "--journal " + journal);
  shell("head -n 14 " + journal + " >" + journal + "_cut; rm " + journal);
  const auto resume = "$L run --json - --resume " + journal + "_cut 2>/dev/null";
  EXPECT_EQ(nlohmann::json::parse(shell(resume).output)["unsupported"], picky["unsupported"]);
  const auto whole = json_of("returns_error", arguments + "--journal " + journal + " --junit " + junit);
  shell("head -n 14 " + journal + " >" + journal + "_cut");
  const auto resumed = nlohmann::json::parse(shell(resume).output);
  for (const char* key : {"cases", "agree", "failed", "verdict", "failures"})
    EXPECT_EQ(resumed[key], whole[key]) << key;
  EXPECT_GT(whole["failed"], 1);
  const std::string xml = shell("cat " + junit).output;
  EXPECT_THAT(xml, HasSubstr("<failure type=\"failed\" message=\"kernel: out must be even (error 7 of run in call"));
  EXPECT_THAT(xml, HasSubstr(fmt::format("failures=\"{}\"", whole["failed"].get<int>())));
}

TEST(KernelCommand, AJournalIsOfOneBuildOfALibrary) {
  const TemporaryFolder folder;
  const std::string mine = folder.path + "/mine.so", journal = folder.path + "/journal";
  const auto copy = [&](const char* name) { shell("cp " + library(name) + " " + mine); };
  copy("plain");
  shell("$L run --kernel " + mine + " --cases 4 --journal " + journal);
  EXPECT_EQ(shell("$L run --resume " + journal).code, 0);
  copy("bias_times_ranks");
  const Ended ended = shell("$L run --resume " + journal);
  EXPECT_EQ(ended.code, 2) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("mine.so\" is another than the one that the journal is of"));
}

// What a library prints does not come between what Lockstep writes.
TEST(KernelCommand, TheSameTwiceWhateverRunsBeside) {
  const std::string one = judged("plain", "--cases 20 --seed 2 --threads 1 --results - 2>/dev/null").output;
  EXPECT_EQ(judged("plain", "--cases 20 --seed 2 --threads 2 --results - 2>/dev/null").output, one);
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 20);
}

}  // namespace
}  // namespace lockstep
