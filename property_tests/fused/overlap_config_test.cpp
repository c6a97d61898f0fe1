#include "fused/config/overlap_config_json.h"

#include "property_tests/oracle/temporary_file.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using enum OverlapMethod;

// The table of initialize_ub's defaults, by value: tp = 6.
const CommunicatorConfig ring_gather{ring_exchange, false, 1, 1, false, 6, false, false, true, true, -5, 0, false};
const CommunicatorConfig ring_reduce{ring_exchange, true, 1, 1, false, 6, false, false, true, false, -5, 0, false};
const CommunicatorConfig pipeline_reduce{pipeline, true, 16, 2, true, 4, false, false, true, false, -5, 0, false};
const CommunicatorConfig bulk_gather{bulk, false, 16, 2, true, 4, false, false, true, true, -5, 0, false};
const CommunicatorConfig bulk_reduce{bulk, true, 16, 2, true, 4, false, false, true, false, -5, 0, false};
const CommunicatorConfig external_gather{external, false, 16, 2, true, 4, false, false, true, true, -5, 0, false};

const OverlapConfig defaults{
    {"qkv_fprop", ring_gather},      {"qkv_dgrad", bulk_gather},  {"qkv_wgrad", bulk_reduce},
    {"fc1_fprop", ring_gather},      {"fc1_dgrad", bulk_gather},  {"fc1_wgrad", bulk_reduce},
    {"proj_fprop", pipeline_reduce}, {"proj_dgrad", ring_gather}, {"proj_wgrad", external_gather},
    {"fc2_fprop", pipeline_reduce},  {"fc2_dgrad", ring_gather},  {"fc2_wgrad", external_gather},
};

void expect_equal(const OverlapConfig& actual, const OverlapConfig& expected) {
  EXPECT_TRUE(actual == expected) << print(actual) << "\nis not\n" << print(expected);
}

TEST(OverlapConfigDefaults, AreThoseOfTheTable) {
  expect_equal(default_config(6), defaults);
  expect_equal(parse_overlap_config("{}", 6), defaults);
  expect_equal(parse_overlap_config(R"({"proj_fprop": {}, "qkv_dgrad": {"method": "bulk"}})", 6), defaults);
}

TEST(OverlapConfigDefaults, OfTheRingAreOneSplitARank) {
  for (Index tp : {1, 2, 7, 72})
    for (const auto& [name, config] : default_config(tp))
      EXPECT_EQ(config.num_splits, config.method == ring_exchange ? tp : 4) << name;
}

TEST(OverlapConfigOverride, ChangesTheKeysThatAreGivenAndNoOther) {
  OverlapConfig expected = defaults;
  expected["qkv_fprop"].num_sm = 7;
  expected["qkv_fprop"].aggregate = true;
  expected["fc2_fprop"].pipeline_rs_overlap_first_gemm = true;
  expected["fc2_fprop"].fp8_buf = true;
  expect_equal(parse_overlap_config(R"({"qkv_fprop": {"num_sm": 7, "aggregate": true},
                                        "fc2_fprop": {"pipeline_rs_overlap_first_gemm": true, "fp8_buf": true}})",
                                    6),
               expected);
}

TEST(OverlapConfigOverride, OfTheMethodKeepsTheOtherDefaults) {
  OverlapConfig expected = defaults;
  expected["proj_fprop"].method = ring_exchange;
  expect_equal(parse_overlap_config(R"({"proj_fprop": {"method": "ring_exchange"}})", 6), expected);
}

TEST(OverlapConfigOverride, OfADgradThatIsNotBulkMakesItAReduceScatterInTheWgradsStead) {
  OverlapConfig expected = defaults;
  expected["qkv_dgrad"] = ring_reduce;
  expected["fc1_dgrad"] = pipeline_reduce;
  expected.erase("qkv_wgrad");
  expected.erase("fc1_wgrad");
  expect_equal(default_config(6, {{"qkv_dgrad", ring_exchange}, {"fc1_dgrad", pipeline}}), expected);
  expected["qkv_dgrad"].num_sm = 2;
  expect_equal(parse_overlap_config(R"({"qkv_dgrad": {"num_sm": 2, "method": "ring_exchange"},
                                        "fc1_dgrad": {"method": "pipeline"}})",
                                    6),
               expected);
}

TEST(OverlapConfigOverride, TakesWhatOnlyTransformerEngineCanNotDo) {
  const auto ring = parse_overlap_config(
      R"({"qkv_fprop": {"aggregate": true, "num_sm": 16, "use_ce": false},
          "proj_fprop": {"method": "ring_exchange", "use_ce": false}, "fc2_fprop": {"num_splits": 7}})",
      5);
  EXPECT_TRUE(ring.at("qkv_fprop").aggregate);
  EXPECT_EQ(ring.at("proj_fprop").num_sm, 16);
  EXPECT_EQ(ring.at("fc2_fprop").num_splits, 7);
}

TEST(OverlapConfigFile, IsReadWhole) {
  const TemporaryFile file(R"({"proj_fprop": {"num_sm": 3}})");
  expect_equal(read_overlap_config(file.path, 6), parse_overlap_config(R"({"proj_fprop": {"num_sm": 3}})", 6));
}

}  // namespace
}  // namespace lockstep
