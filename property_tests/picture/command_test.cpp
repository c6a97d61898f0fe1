#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <fstream>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Ended report(const std::string& arguments) { return shell("$L report " + arguments); }

TEST(ReportCommand, ExitsAsItsCaseIsJudged) {
  EXPECT_EQ(report("--case 'tp=2'").code, 0);
  EXPECT_EQ(report("--case 'tp=2 tokens=8 fault=bias_not_advanced out=16'").code, 1);
  EXPECT_EQ(report("--case 'tp=2 tokens=0'").code, 3);
  EXPECT_EQ(report("--case 'op=gemm_rs tp=2 fault=handback_missing'").code, 1);
}

TEST(ReportCommand, RefusesWhatItCannotShow) {
  for (const char* bad :
       {"--case 'tp=0'", "--case 'tp=2 fault=none_such'", "--case 'tp=2 executor=mpi'", "--case 'tp=2' --html ''",
        "--case 'tp=2' --html /nonexistent/x.html", "--case 'tp=1 fault=bias_not_advanced splits=1'", ""}) {
    const Ended ended = report(bad);
    EXPECT_EQ(ended.code, 2) << bad << ended.output;
    EXPECT_FALSE(ended.output.empty());
  }
}

TEST(ReportCommand, AnEmptyNameIsRefusedBeforeAnythingRuns) {
  EXPECT_THAT(report("--case 'tp=2' --html ''").output, HasSubstr("--html takes the name of a file"));
}

TEST(ReportCommand, OfAHangShowsWhatWaits) {
  const Ended ended = report("--case 'op=gemm_rs tp=2 splits=2 fault=signal_lost'");
  EXPECT_EQ(ended.code, 124) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("hang by judge hang"), HasSubstr("waits for ever"), HasSubstr("?")));
}

TEST(ReportCommand, TracesWhatRan) {
  const Ended ended = report("--case 'tp=3 splits=2 executor=threads:4' --trace -");
  EXPECT_EQ(ended.code, 0);
  std::size_t operations = 0;
  const auto trace = nlohmann::json::parse(ended.output);
  for (const auto& event : trace["traceEvents"]) operations += event["ph"] == "X" ? 1 : 0;
  const auto plan = nlohmann::json::parse(shell("$L plan --case 'tp=3 splits=2' --trace -").output);
  std::size_t expected = 0;
  for (const auto& event : plan["traceEvents"]) expected += event["ph"] == "X" ? 1 : 0;
  EXPECT_EQ(operations, expected);
}

TEST(RunCommand, ShowsItsFirstFailureAsAPage) {
  const TemporaryFile page;
  const Ended ended = shell("$L run --cases 100 --seed 1 --fault rank_missing --html " + page.path);
  EXPECT_EQ(ended.code, 1);
  std::string smallest = ended.output.substr(ended.output.find("smallest ") + 9);
  smallest.resize(smallest.find('\n'));
  EXPECT_THAT(shell("cat " + page.path).output,
              AllOf(HasSubstr("<!doctype html>"), HasSubstr("data-count"), HasSubstr(smallest)));
}

TEST(RunCommand, SaysWhyThereIsNoPage) {
  const TemporaryFile page;
  const Ended ended = shell("$L run --cases 3 --seed 1 --html " + page.path);
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("--html"), HasSubstr("not written: nothing failed")));
  EXPECT_EQ(shell("cat " + page.path).output, "");
  EXPECT_EQ(shell("$L run --cases 3 --html - --json -").code, 2);
}

TEST(PlanCommand, DrawsItsTimeline) {
  const Ended ended = shell("$L plan --case 'tp=2 splits=2' --svg -");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.output.substr(0, 4), "<svg");
  EXPECT_THAT(ended.output, AllOf(HasSubstr("data-kind=\"gemm\""), HasSubstr("rank 1"), HasSubstr("</svg>")));
}

}  // namespace
}  // namespace lockstep
