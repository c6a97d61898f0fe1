#include "oracle/report/trace.h"

#include "oracle/campaign/draw.h"
#include "oracle/inputs/program.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace lockstep {
namespace {

using nlohmann::json;

std::map<std::pair<Index, Index>, std::vector<std::pair<Index, Index>>> spans_of_lanes(const json& trace) {
  std::map<std::pair<Index, Index>, std::vector<std::pair<Index, Index>>> spans;
  for (const json& e : trace["traceEvents"])
    if (e["ph"] == "X") spans[{e["pid"], e["tid"]}].emplace_back(e["ts"], Index{e["ts"]} + Index{e["dur"]});
  return spans;
}

RC_GTEST_PROP(Trace, ShowsEveryOperationOnceAndNoTwoAtOnceOnALane, ()) {
  const Case a_case = draw_case(3, *rc::gen::inRange<Index>(0, 400), 0, {});
  const Program program = correct_program(a_case);
  std::size_t operations = 0, shown = 0;
  for (const Plan& plan : program.calls) operations += plan.ops.size();
  for (const auto& [lane, spans] : spans_of_lanes(trace_of(program))) {
    shown += spans.size();
    for (std::size_t i = 1; i < spans.size(); ++i) RC_ASSERT(spans[i].first >= spans[i - 1].second);
  }
  RC_ASSERT(shown == operations);
}

TEST(Trace, NamesRanksAndLanesAndPointsFromSignalToWait) {
  const json trace = trace_of(correct_program(parse_case("tp=3 splits=2 tokens=64 in=64 out=64")));
  std::map<std::string, Index> phases;
  for (const json& e : trace["traceEvents"]) ++phases[e["ph"]];
  EXPECT_EQ(phases["M"], 3 + 3 * 4);  // main, compute 0, compute 1, communication
  EXPECT_EQ(phases["s"], phases["f"]);
  EXPECT_EQ(phases["s"], 3 * 2 * 2);  // every split of every rank waits for two peers
}

// Ring-exchange overlaps: while a chunk is multiplied, it is passed on.
TEST(Trace, ShowsThatCommunicationOverlapsWithGemms) {
  const json trace = trace_of(correct_program(parse_case("op=ag_gemm tp=4 tokens=256 in=256 out=256")));
  Index overlapping = 0;
  for (const json& copy : trace["traceEvents"])
    for (const json& gemm : trace["traceEvents"])
      if (copy["ph"] == "X" && gemm["ph"] == "X" && copy["cat"] == "copy" && gemm["cat"] == "gemm" &&
          copy["pid"] == gemm["pid"] && Index{copy["ts"]} < Index{gemm["ts"]} + Index{gemm["dur"]} &&
          Index{gemm["ts"]} < Index{copy["ts"]} + Index{copy["dur"]})
        ++overlapping;
  EXPECT_GT(overlapping, 0);
}

}  // namespace
}  // namespace lockstep
