// The fault that comes nearest to wrong bits that no fault gives.
#include "oracle/diagnosis/nearest.h"
#include "oracle/faults/strike.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

constexpr const char* line = "op=gemm_rs tp=2 tokens=8 in=8 out=12 splits=3";

TEST(NearestFault, IsTheOneWhoseBitsTheseAreButForAFew) {
  const Prepared prepared = prepare(parse_case(line));
  Observed observed = observe(prepared, struck(prepared.correct, {&fault_named("bias_not_advanced"), 0, true}), {});
  Tensor& y = observed.outputs[0]["y"][0];
  set_code(y, 0, 0, code_at(y, 0, 0) ^ 1);
  const auto nearest = nearest_fault(prepared, observed);
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->fault, "bias_not_advanced:0");
  EXPECT_EQ(nearest->same + 1, nearest->of);
  EXPECT_THAT(print(*nearest), testing::HasSubstr("bias_not_advanced:0 gives the same wrong bits"));
}

// Wrong in the same places is not enough.
TEST(NearestFault, SharesNoElementThatIsWrongInAnotherWay) {
  const Prepared prepared = prepare(parse_case(line));
  Observed observed = observe(prepared, prepared.correct, {});
  for (Tensor& y : observed.outputs[0]["y"])
    for (Index i = 0; i < y.rows; ++i)
      for (Index j = 0; j < y.cols; ++j) set_code(y, i, j, encode(y.dtype, 31000.0f + static_cast<float>(j)));
  EXPECT_FALSE(nearest_fault(prepared, observed));
}

TEST(NearestFault, OfWhatIsRightThereIsNone) {
  const Prepared prepared = prepare(parse_case(line));
  EXPECT_FALSE(nearest_fault(prepared, observe(prepared, prepared.correct, {})));
}

TEST(NearestFault, StopsWhenTimeIsUp) {
  const Prepared prepared = prepare(parse_case(line));
  const Program wrong = struck(prepared.correct, {&fault_named("bias_not_advanced"), 0, true});
  EXPECT_FALSE(nearest_fault(prepared, observe(prepared, wrong, {}), 0));
}

}  // namespace
}  // namespace lockstep
