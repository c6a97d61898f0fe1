// When operations ran on the device, by its own clock.
#include "oracle/report/times.h"
#include "fused/cuda/execute.h"
#include "oracle/campaign/draw.h"
#include "oracle/inputs/program.h"
#include "property_tests/oracle/shell.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

constexpr double resolution = 1.0;  // microseconds

class DeviceTimes : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

// All of it, and whatever the plan orders in order: along lanes and edges, and from a signal to what awaits it.
TEST_F(DeviceTimes, AreInTheOrderOfThePlan) {
  Fixed fixed;
  fixed.device = RunsOn::cuda;
  for (Index number = 0; number < 40; ++number) {
    const Case a_case = draw_case(7, number, 0, fixed);
    SCOPED_TRACE(print(a_case));
    const Program program = correct_program(a_case);
    const Order order = order_of(program);
    const Ran run = ran(prepare(a_case), program);
    ASSERT_TRUE(run.observed.walked.finished);
    for (std::size_t node = 0; node < order.graph.steps.size(); ++node) {
      const Span& span = run.times.spans[node];
      ASSERT_TRUE(span.happened);
      ASSERT_LE(span.start, span.end);
      for (std::size_t next : order.graph.successors_of(node))
        ASSERT_LE(span.end, run.times.spans[next].end + resolution);
      const std::size_t by = order.ended_by[node];
      ASSERT_TRUE(by == no_node || run.times.spans[by].start <= span.end + resolution);
    }
  }
}

// A rank that is late by 5 microseconds with everything: what it does on a lane lies so far apart.
TEST_F(DeviceTimes, SeeThatARankIsLate) {
  const Case a_case = parse_case("op=gemm_rs tp=2 splits=2 executor=late:1 device=cuda");
  const Program program = correct_program(a_case);
  const std::vector<Span> spans = ran(prepare(a_case), program).times.spans;
  const Graph graph = graph_of(program);
  Index pairs = 0;
  for (const auto& lane : lanes_of(program, graph)) {
    if (op_at(program, graph.steps[lane.front()]).rank != 1) continue;
    for (std::size_t i = 1; i < lane.size(); ++i, ++pairs)
      EXPECT_GE(spans[lane[i]].start - spans[lane[i - 1]].end, 5 - resolution);
  }
  EXPECT_GT(pairs, 0);
}

TEST_F(DeviceTimes, AreInTheTraceOfWhatRan) {
  const Ended ended = shell("$L report --trace - --case 'op=gemm_rs tp=2 splits=2 device=cuda'");
  EXPECT_EQ(ended.code, 0) << ended.output;
  std::size_t operations = 0;
  const auto trace = nlohmann::json::parse(ended.output);
  for (const auto& event : trace["traceEvents"]) operations += event["ph"] == "X" ? 1 : 0;
  EXPECT_EQ(operations, graph_of(correct_program(parse_case("op=gemm_rs tp=2 splits=2"))).steps.size());
}

}  // namespace
}  // namespace lockstep
