#include "property_tests/fused/overlap_config_refusal.h"
#include "property_tests/oracle/temporary_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(OverlapConfigJson, RefusalOfNamesListsTheKnownOnes) {
  EXPECT_THAT(refusal_of_keys("qkv_foprop", ""),
              AllOf(HasSubstr("\"qkv_foprop\""), HasSubstr("qkv_fprop, qkv_dgrad"), EndsWith("fc2_wgrad")));
  EXPECT_THAT(refusal_of(R"({"foo": 1})"), HasSubstr("no communicator \"foo\""));
  EXPECT_THAT(refusal_of_keys("fc1_fprop", R"("colour": 1)"),
              AllOf(StartsWith("the communicator fc1_fprop has no key \"colour\""), HasSubstr("method, is_reduce")));
}

TEST(OverlapConfigJson, RefusalOfATypeSaysWhatIsAllowed) {
  for (const std::string value : {"1.0", "\"1\"", "true", "null", "[1]", "18446744073709551615", "1e300"})
    EXPECT_THAT(refusal_of_keys("fc1_fprop", "\"num_sm\": " + value),
                AllOf(StartsWith("fc1_fprop.num_sm=\""), EndsWith("num_sm is a whole number from 1 to 32")))
        << value;
  for (const std::string value : {"0", "1", "\"true\"", "null", "{}"})
    EXPECT_THAT(refusal_of_keys("fc1_fprop", "\"use_ce\": " + value),
                AllOf(StartsWith("fc1_fprop.use_ce=\""), EndsWith("use_ce is true or false")))
        << value;
  for (const std::string value : {"0", "\"Ring\"", "\"\"", "null", "[]"})
    EXPECT_THAT(refusal_of_keys("fc1_fprop", "\"method\": " + value),
                AllOf(StartsWith("fc1_fprop.method=\""), EndsWith("ring_exchange, pipeline, bulk or external")));
  EXPECT_EQ(refusal_of_keys("fc1_fprop", R"("num_sm": [[1]])"),
            "fc1_fprop.num_sm=\"array\": num_sm is a whole number from 1 to 32");
}

TEST(OverlapConfigJson, RefusalOfTextThatIsNotAnObjectOfObjects) {
  EXPECT_THAT(refusal_of(""), HasSubstr("stops being JSON at line 1, column 1"));
  EXPECT_THAT(refusal_of("{\n \"qkv_fprop\": x}"), HasSubstr("stops being JSON at line 2, column 15"));
  EXPECT_THAT(refusal_of("{} {}"), HasSubstr("line 1, column 4"));
  EXPECT_THAT(refusal_of("{\"\xFF\": 1}"), HasSubstr("stops being JSON"));
  EXPECT_THAT(refusal_of(R"({"qkv_fprop": {"num_sm": 1e999}})"), HasSubstr("up to 1.8e308"));
  for (const std::string value : {"[]", "1", "\"text\"", "null"}) {
    EXPECT_THAT(refusal_of(value), AllOf(StartsWith("the overlap configuration is \""), HasSubstr("it is an object")));
    EXPECT_THAT(refusal_of("{\"fc1_fprop\": " + value + "}"),
                AllOf(StartsWith("fc1_fprop is \""), HasSubstr("object")));
  }
}

TEST(OverlapConfigJson, RefusalOfAKeyThatStandsTwice) {
  EXPECT_EQ(refusal_of(R"({"fc1_fprop": {"num_sm": 1, "use_ce": true, "num_sm": 1}})"),
            "the key \"num_sm\" stands twice in one object of the overlap configuration");
  EXPECT_THAT(refusal_of(R"({"fc1_fprop": {}, "fc1_fprop": {}})"), HasSubstr("\"fc1_fprop\" stands twice"));
  EXPECT_EQ(refusal_of(R"({"fc1_fprop": {"num_sm": 1}, "fc2_dgrad": {"num_sm": 1}})"), "accepted");
}

TEST(OverlapConfigJson, RefusalOfAFileNamesThePath) {
  for (const std::string path : {"/no/such.json", "/tmp"})
    EXPECT_THAT(refusal_by([&] { read_overlap_config(path, 8); }), HasSubstr("\"" + path + "\" cannot be read"));
  const TemporaryFile file(R"({"fc1_fprop": {"num_sm": 99}})");
  EXPECT_EQ(refusal_by([&] { read_overlap_config(file.path, 8); }),
            "\"" + file.path + "\": fc1_fprop.num_sm=99: num_sm is a whole number from 1 to 32");
}

}  // namespace
}  // namespace lockstep
