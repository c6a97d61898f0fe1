#include "oracle/inputs/configured.h"

#include "fused/config/overlap_config_json.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

Call under(const char* json, const char* line) {
  const Call call = parse_case(line).first();
  return configured(call, parse_overlap_config(json, call.tp));
}

TEST(Configured, TakesTheMethodOfTheLayersCommunicator) {
  const Call call = under(R"({"proj_fprop": {"method": "ring_exchange"}})", "op=row_linear");
  EXPECT_EQ(call.method, Method::ring_exchange);
  EXPECT_EQ(under("{}", "op=row_linear").method, Method::pipeline);
}

TEST(Configured, TakesSplitsLaunchOrderAndAggregation) {
  const Call row = under(R"({"proj_fprop": {"num_splits": 5, "pipeline_rs_overlap_first_gemm": true},
                             "proj_dgrad": {"aggregate": true}})",
                         "op=row_linear pass=both");
  EXPECT_EQ(row.splits, 5);
  EXPECT_TRUE(row.first_gemm);
  EXPECT_TRUE(row.aggregate);
  EXPECT_FALSE(under(R"({"proj_dgrad": {"aggregate": true}})", "op=row_linear").aggregate);
}

TEST(Configured, AnFp8BufferIsAnFp8WireUnderDelayedScaling) {
  const char* json = R"({"proj_fprop": {"fp8_buf": true}})";
  EXPECT_TRUE(under(json, "op=row_linear recipe=delayed").fp8_wire);
  EXPECT_FALSE(under(json, "op=row_linear").fp8_wire);
}

TEST(Configured, AFrozenColumnLayerNeedsAReduceScatter) {
  const char* line = "op=column_linear pass=backward frozen=1";
  EXPECT_EQ(under(R"({"fc1_dgrad": {"method": "pipeline"}})", line).dgrad, Method::pipeline);
  try {
    under("{}", line);
    FAIL() << "accepted";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::AllOf(testing::HasSubstr("fc1_dgrad"), testing::HasSubstr("ring_exchange")));
  }
}

TEST(Configured, ATrainedColumnLayerIsBulk) {
  EXPECT_EQ(under("{}", "op=column_linear pass=backward").dgrad, Method::bulk);
  EXPECT_THROW(under(R"({"qkv_dgrad": {"method": "pipeline"}})", "op=column_linear pass=backward"), Refusal);
  EXPECT_THROW(under("{}", "op=gemm_ar"), Refusal);
}

}  // namespace
}  // namespace lockstep
