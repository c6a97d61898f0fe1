// A short line stands for the same case.
#include "oracle/diagnosis/short_line.h"
#include "property_tests/case_generator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

RC_GTEST_PROP(ShortLine, SaysTheSameCase, ()) {
  const Case a_case = *arbitrary_case();
  const std::string line = short_line(a_case);
  RC_ASSERT(parse_case(line) == a_case);
  RC_ASSERT(line.size() <= print(a_case).size());
}

TEST(ShortLine, LeavesOutWhatIsTheDefault) {
  EXPECT_EQ(short_line(parse_case("op=gemm_rs tp=4 tokens=8 in=8 out=12 splits=3 executor=late:1")),
            "op=gemm_rs tp=4 out=12 splits=3 executor=late:1");
  EXPECT_EQ(short_line(parse_case("op=row_linear pass=both ; tokens=3")), "op=row_linear pass=both ; tokens=3");
  EXPECT_EQ(short_line(parse_case("op=ag_gemm calls=3 splits=2")), "op=ag_gemm calls=3");
}

}  // namespace
}  // namespace lockstep
