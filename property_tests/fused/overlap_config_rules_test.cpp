#include "property_tests/fused/overlap_config_refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

void expect_range(const std::string& key, Index least, Index most) {
  for (Index value : {least, most})
    EXPECT_EQ(refusal_of_keys("proj_fprop", fmt::format("\"{}\": {}", key, value)), "accepted");
  for (Index value : {least - 1, most + 1})
    EXPECT_EQ(refusal_of_keys("proj_fprop", fmt::format("\"{}\": {}", key, value)),
              fmt::format("proj_fprop.{}={}: {} is a whole number from {} to {}", key, value, key, least, most));
}

TEST(OverlapConfigRules, RefusalOfANumberSaysItsRange) {
  expect_range("num_sm", 1, 32);
  expect_range("cga_size", 1, 8);
  expect_range("num_splits", 1, 1024);
  expect_range("comm_priority", -5, 0);
  expect_range("gemm_priority", -5, 0);
  for (Index tp : {-1, 0, 73}) EXPECT_THAT(refusal_of("{}", tp), HasSubstr("tp is a whole number from 1 to 72"));
}

std::string refusal_of_method(const std::string& name, const std::string& method) {
  return refusal_of_keys(name, "\"method\": \"" + method + "\"");
}

TEST(OverlapConfigRules, RefusalOfAMethodSaysWhoseItIs) {
  for (const std::string name : {"qkv_fprop", "fc1_fprop", "proj_dgrad", "fc2_dgrad"})
    for (const std::string method : {"pipeline", "bulk", "external"})
      EXPECT_THAT(refusal_of_method(name, method),
                  AllOf(StartsWith(name + ".method=" + method + ": " + method + " is "),
                        EndsWith(name + ".method is ring_exchange")));
  for (const std::string method : {"bulk", "external"})
    EXPECT_THAT(refusal_of_method("fc2_fprop", method), EndsWith("fc2_fprop.method is pipeline or ring_exchange"));
  EXPECT_THAT(refusal_of_method("qkv_dgrad", "external"), EndsWith("is bulk or ring_exchange or pipeline"));
  for (const std::string method : {"ring_exchange", "pipeline", "external"})
    EXPECT_THAT(refusal_of_method("fc1_wgrad", method), EndsWith("fc1_wgrad.method is bulk"));
  for (const std::string method : {"ring_exchange", "pipeline", "bulk"})
    EXPECT_THAT(refusal_of_method("proj_wgrad", method), EndsWith("proj_wgrad.method is external"));
}

TEST(OverlapConfigRules, RefusalOfAWgradWithoutItsBulkDgrad) {
  for (const std::string keys : {"", R"("method": "bulk")", R"("num_sm": 2)"})
    EXPECT_EQ(
        refusal_of(R"({"fc1_dgrad": {"method": "pipeline"}, "fc1_wgrad": {)" + keys + "}}"),
        "fc1_wgrad is there beside fc1_dgrad.method=pipeline: only a bulk fc1_dgrad has one, so leave fc1_wgrad out");
  OverlapConfig config = default_config(8);
  config.erase("qkv_wgrad");
  EXPECT_THAT(refusal_by([&] { validate(config); }), StartsWith("the overlap configuration lacks qkv_wgrad"));
  config["foo"] = config["qkv_wgrad"] = default_config(8).at("qkv_wgrad");
  EXPECT_THAT(refusal_by([&] { validate(config); }), HasSubstr("no communicator \"foo\""));
}

TEST(OverlapConfigRules, RefusalOfADirectionThatTheNameDoesNotHave) {
  EXPECT_EQ(refusal_of_keys("qkv_fprop", R"("is_reduce_scatter": true)"),
            "qkv_fprop.is_reduce_scatter=true: qkv_fprop with method ring_exchange carries an all-gather, so "
            "is_reduce_scatter is false");
  EXPECT_THAT(refusal_of_keys("qkv_dgrad", R"("is_reduce_scatter": false, "method": "pipeline")"),
              EndsWith("carries a reduce-scatter, so is_reduce_scatter is true"));
}

TEST(OverlapConfigRules, RefusalOfKeysThatContradictTheMethod) {
  for (const std::string name : {"proj_fprop", "qkv_dgrad", "qkv_wgrad", "proj_wgrad"})
    EXPECT_THAT(refusal_of_keys(name, R"("aggregate": true)"),
                AllOf(StartsWith(name + ".aggregate=true: "), HasSubstr("only for qkv_fprop")));
  EXPECT_THAT(refusal_of_keys("proj_fprop", R"("aggregate": true, "method": "ring_exchange")"), HasSubstr("aggregate"));
  for (const std::string name : {"proj_fprop", "qkv_fprop", "qkv_dgrad", "proj_wgrad"})
    EXPECT_THAT(refusal_of_keys(name, R"("atomic_gemm": true)"),
                AllOf(StartsWith(name + ".atomic_gemm=true: "), EndsWith("atomic_gemm is always false")));
  for (const std::string name : {"qkv_fprop", "qkv_dgrad", "fc2_wgrad"})
    EXPECT_THAT(refusal_of_keys(name, R"("pipeline_rs_overlap_first_gemm": true)"),
                AllOf(StartsWith(name + ".pipeline_rs_overlap_first_gemm=true: "), HasSubstr("only method pipeline")));
}

TEST(OverlapConfigRules, RefusalOfABufferTypeThatNobodyWouldReadSo) {
  EXPECT_THAT(refusal_of_keys("fc1_wgrad", R"("fp8_buf": true)"),
              AllOf(StartsWith("fc1_wgrad.fp8_buf=true: "), EndsWith("fp8_buf is false here")));
  EXPECT_THAT(refusal_of_keys("fc2_fprop", R"("method": "ring_exchange", "fp8_buf": true)"),
              AllOf(StartsWith("fc2_fprop.fp8_buf=true: "), HasSubstr("only with method pipeline")));
  for (const std::string name : {"fc1_fprop", "fc1_dgrad", "proj_wgrad"})
    EXPECT_THAT(refusal_of_keys(name, R"("fp8_buf": false)"),
                AllOf(StartsWith(name + ".fp8_buf=false: "), EndsWith("fp8_buf is true here")));
}

}  // namespace
}  // namespace lockstep
