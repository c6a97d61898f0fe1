#include "oracle/picture/magnitudes.h"

#include "oracle/campaign/draw.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/same_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

Outputs outputs_of_line(const char* line) {
  const Case a_case = parse_case(line);
  return outputs_of(a_case, correct_program(a_case), {});
}

Tensor& y_of(Outputs& outputs) { return outputs.got[0].at("y")[0]; }

void set(Tensor& tensor, Index which, double value) {
  store_code(tensor.dtype, &tensor.bytes[static_cast<std::size_t>(which * bytes_of(tensor.dtype))],
             encode(tensor.dtype, static_cast<float>(value)));
}

double wanted(const Outputs& outputs, Index which) {
  const Tensor& y = outputs.wanted[0].at("y")[0];
  return decode(y.dtype, code_at(y, which / y.cols, which % y.cols));
}

// An error of known size lands in its square.
TEST(PictureMagnitudes, AnErrorStandsAtItsMagnitudeAndItsValues) {
  Outputs outputs = outputs_of_line("op=gemm_rs tp=1 tokens=4 in=4 out=4 dtype=f32");
  EXPECT_FALSE(scatter_of(outputs));
  Index which = 0;
  while (wanted(outputs, which) == 0) ++which;
  const double value = wanted(outputs, which);
  set(y_of(outputs), which, 2 * value);  // the error is as large as the value
  const auto scatter = scatter_of(outputs);
  ASSERT_TRUE(scatter && scatter->squares.size() == 1);
  EXPECT_EQ(scatter->squares[0].value, std::ilogb(value));
  EXPECT_EQ(scatter->squares[0].error, std::ilogb(value));
  EXPECT_EQ(scatter->shown, 1);
}

// Another code of bfloat16: any, an infinity or a NaN.
std::uint32_t another(std::uint32_t code) {
  const auto changed = *rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 0x10000),
                                       rc::gen::elementOf(std::vector<std::uint32_t>{0x7f80, 0xff80, 0x7fc1}));
  return same_value(DType::bf16, changed, code) ? code ^ 0x40 : changed;
}

RC_GTEST_PROP(PictureMagnitudes, EveryWrongElementIsCountedOnce, ()) {
  Outputs outputs = outputs_of_line("op=gemm_rs tp=1 tokens=6 in=4 out=5");
  Tensor& y = y_of(outputs);
  std::set<Index> changed;
  for (int i = *rc::gen::inRange(1, 10); i > 0; --i) changed.insert(*rc::gen::inRange<Index>(0, 30));
  Index not_finite = 0, value_zero = 0;
  for (Index which : changed) {
    const std::uint32_t code = another(code_at(y, which / 5, which % 5));
    store_code(y.dtype, &y.bytes[static_cast<std::size_t>(2 * which)], code);
    const bool is_finite = std::isfinite(decode(y.dtype, code));
    not_finite += is_finite ? 0 : 1, value_zero += is_finite && wanted(outputs, which) == 0 ? 1 : 0;
  }
  const auto scatter = scatter_of(outputs);
  Index in_squares = 0;
  for (const auto& square : scatter->squares) in_squares += square.count;
  RC_ASSERT(in_squares == scatter->shown);
  RC_ASSERT(scatter->not_finite == not_finite && scatter->value_zero == value_zero);
  RC_ASSERT(scatter->shown + value_zero + not_finite == std::ssize(changed));
}

// Right outputs use at most the whole bound, whatever the case.
TEST(PictureMagnitudes, NoRightElementIsBeyondTheBound) {
  Fixed fixed{.executor = Executor{}};
  fixed.data = Data::normal;
  for (Index number = 0; number < 40; ++number) {
    const Case a_case = draw_case(5, number, 0, fixed);
    const auto histogram = utilisation_of(outputs_of(a_case, correct_program(a_case), {}));
    ASSERT_TRUE(histogram);
    for (std::size_t bar = first_beyond; bar < Histogram::count; ++bar)
      EXPECT_EQ(histogram->bars[bar].right + histogram->bars[bar].wrong, 0) << print(a_case);
  }
}

TEST(PictureMagnitudes, NamesOfBarsMeetAtTheBound) {
  EXPECT_EQ(bar_name(0), "0");
  EXPECT_EQ(bar_name(first_beyond - 1), "<= 1");
  EXPECT_EQ(bar_name(first_beyond), "<= 2^1");
}

}  // namespace
}  // namespace lockstep
