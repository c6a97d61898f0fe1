#include "reference/contract/symbol.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

Symbol at(std::string_view buffer, Index call, Index rank, Index element) {
  return leaf(source(buffer, call, rank), element);
}

const Symbol a = at("x", 0, 0, 0), b = at("x", 0, 0, 1), c = at("x", 0, 0, 2);

TEST(Symbol, LeavesAreToldApartByEveryField) {
  for (const Symbol& other :
       {at("w", 0, 0, 0), at("x", 1, 0, 0), at("x", 0, 1, 0), at("x", 0, 0, 1), zero_symbol, poison_symbol})
    EXPECT_NE(a, other);
}

TEST(Symbol, AdditionCommutesAndDoesNotAssociate) {
  EXPECT_EQ(add(a, b), add(b, a));
  EXPECT_NE(add(add(a, b), c), add(a, add(b, c)));
  EXPECT_EQ(add(zero_symbol, a), a);
}

TEST(Symbol, RoundingsShow) {
  EXPECT_NE(round_to(DType::bf16, a), a);
  EXPECT_NE(round_to(DType::bf16, a), round_to(DType::fp16, a));
  EXPECT_EQ(round_to(DType::f32, a), a);
  EXPECT_EQ(round_to(DType::bf16, zero_symbol), zero_symbol);
}

TEST(Symbol, ScalesAndFormatsShow) {
  EXPECT_NE(quantized(DType::e4m3, a, b), quantized(DType::e5m2, a, b));
  EXPECT_NE(quantized(DType::e4m3, a, b), quantized(DType::e4m3, a, c));
  EXPECT_NE(scaled(a, b, c), scaled(a, c, b));
  EXPECT_NE(folded(folded(zero_symbol, a, b, c), b, b, c), folded(folded(zero_symbol, b, b, c), a, b, c));
  EXPECT_NE(delayed_scale(DType::e4m3, a, 0, b), delayed_scale(DType::e4m3, a, 1, b));
  EXPECT_EQ(quantized(DType::e4m3, zero_symbol, b), zero_symbol);
}

TEST(Symbol, TheLargerOfAmaxesHasNoOrder) {
  EXPECT_EQ(larger(larger(a, b), c), larger(c, larger(b, a)));
  EXPECT_EQ(larger(zero_symbol, a), a);
}

TEST(Symbol, RowsAreOrdered) {
  const Symbol ab[] = {a, b}, ba[] = {b, a};
  EXPECT_NE(sequence(ab), sequence(ba));
  EXPECT_NE(dot(a, b, 3), dot(b, a, 3));
  EXPECT_EQ(dot(a, b, 0), zero_symbol);
}

}  // namespace
}  // namespace lockstep
