#include "reference/contract/symbol.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

const Symbol a = leaf("x", 0, 0, 0), b = leaf("x", 0, 0, 1), c = leaf("x", 0, 0, 2);

TEST(Symbol, LeavesAreToldApartByEveryField) {
  for (const Symbol& other :
       {leaf("w", 0, 0, 0), leaf("x", 1, 0, 0), leaf("x", 0, 1, 0), leaf("x", 0, 0, 1), zero_symbol, poison_symbol})
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

TEST(Symbol, RowsAreOrdered) {
  const Symbol ab[] = {a, b}, ba[] = {b, a};
  EXPECT_NE(sequence(ab), sequence(ba));
  EXPECT_NE(dot(a, b, 3), dot(b, a, 3));
  EXPECT_EQ(dot(a, b, 0), zero_symbol);
}

}  // namespace
}  // namespace lockstep
