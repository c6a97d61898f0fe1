// What trees are called.
#include "oracle/order/print.h"

#include "oracle/order/models.h"
#include "property_tests/order/random_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

std::string of_model(const Accumulator& accumulator, Index split_k, DType type, Index k) {
  const auto terms = terms_of(k, stride_for(k, most_terms(type)));
  return print(declared_tree(accumulator, split_k, type, k, terms), terms);
}

TEST(PrintedTree, IsReadAtOnce) {
  EXPECT_EQ(of_model(hopper_16bit, 1, DType::bf16, 96), "0..95: 16 at a time");
  EXPECT_EQ(of_model(hopper_16bit, 1, DType::bf16, 100), "0..99: 16 at a time");
  EXPECT_EQ(of_model(hopper_16bit, 1, DType::bf16, 16), "0..15: at once");
  EXPECT_EQ(of_model(hopper_16bit, 1, DType::bf16, 17), "0..16: 16 at a time");
  EXPECT_EQ(of_model(f32_in_order, 1, DType::f32, 96), "0..95: one at a time");
  EXPECT_EQ(of_model(hopper_16bit, 2, DType::bf16, 96), "0..95: 2 parts of 64 (the last 32), each 16 at a time");
  EXPECT_EQ(of_model(hopper_16bit, 4, DType::bf16, 4096), "0..4095: 4 parts of 1024, each 16 at a time");
  EXPECT_EQ(of_model(hopper_fp8_promoted, 1, DType::e4m3, 4096),
            "0..4095: 32 parts of 128 in an order that does not show, each 32 at a time");
  EXPECT_EQ(of_model(hopper_fp8_promoted, 1, DType::e5m2, 384), "0..383: 3 parts of 128, each 32 at a time");
  EXPECT_EQ(of_model(hopper_fp8_promoted, 2, DType::e5m2, 1024),
            "0..1023: 2 parts of 512, each 4 parts of 128, each 32 at a time");
  EXPECT_EQ(of_model(hopper_fp8_promoted, 2, DType::e5m2, 640),
            "(0..383: 3 parts of 128, each 32 at a time) + (384..639: 2 parts of 128, each 32 at a time)");
  EXPECT_EQ(of_model(hopper_fp8_promoted, 1, DType::e4m3, 256), "0..255: 2 parts of 128, each 32 at a time");
  EXPECT_EQ(of_model(blackwell_fp8, 1, DType::e4m3, 64), "0..63: in an order that does not show");
}

std::string chain(const std::vector<Index>& order) {
  SumTree tree;
  Index sum = tree.add_term(order[0]);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Index next = tree.add_term(order[i]);
    sum = tree.add_sum({sum, next});
  }
  return print(tree, numbered(std::ssize(order)));
}

TEST(PrintedTree, NamesRanksInTheirOrder) {
  EXPECT_EQ(chain({0, 1, 2, 3, 4}), "0..4: one at a time");
  EXPECT_EQ(chain({2, 1, 0, 4, 3}), "2..0, 4..3: one at a time");
  EXPECT_EQ(chain({3, 4, 0, 1, 2}), "3..4, 0..2: one at a time");
  EXPECT_EQ(chain({0, 2, 4, 1, 3}), "0, 2, 4, 1, 3: one at a time");
}

TEST(PrintedTree, OfNoPatternIsAnExpression) {
  SumTree tree;
  const auto terms = add_terms(tree, {0, 1, 2, 3, 4, 5});
  const Index three = tree.add_sum({terms[0], terms[2], terms[4]}), two = tree.add_sum({terms[1], terms[3]});
  tree.add_sum({three, two, terms[5]});
  EXPECT_EQ(print(tree, numbered(6)), "[(0, 2, 4: at once), (1, 3: one at a time), 5]");
}

// Orders of the ranks that differ are called differently; those that differ in the first two terms alone are one.
RC_GTEST_PROP(PrintedTree, TellsOrdersApart, ()) {
  const Index n = *rc::gen::inRange<Index>(3, 12);
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0xA1);
  auto a = shuffled(n, random), b = shuffled(n, random);
  const std::string of_a = chain(a), of_b = chain(b);
  if (a[0] > a[1]) std::swap(a[0], a[1]);
  if (b[0] > b[1]) std::swap(b[0], b[1]);
  RC_ASSERT((of_a == of_b) == (a == b));
}

RC_GTEST_PROP(PrintedTree, StaysShort, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0xA2);
  const Index n = *rc::gen::inRange<Index>(2, 200);
  SumTree tree;
  join_at_random(tree, add_terms(tree, shuffled(n, random)), 6, random);
  RC_ASSERT(print(tree, numbered(n)).size() <= 4003u);
}

TEST(Signature, IsRowZero) {
  const auto signature_of = [](const Accumulator& accumulator, Index split_k, Index k) {
    return signature(counts_of(declared_tree(accumulator, split_k, DType::bf16, k, terms_of(k, 1))));
  };
  EXPECT_EQ(signature_of(hopper_16bit, 1, 96), "80 64 48 32 16 0");
  EXPECT_EQ(signature_of(hopper_16bit, 2, 96), "80 64 48 32 0");
  EXPECT_THAT(signature_of(f32_in_order, 1, 96), testing::EndsWith("79 .. (95 values)"));
}

}  // namespace
}  // namespace lockstep
