// Data that say where a value came from: no two contributions to an element have a bit in common, and each bit is
// there.
#include "oracle/inputs/inputs.h"

#include "property_tests/case_generator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>

namespace lockstep {
namespace {

// Contributions of the ranks' products, block by block of k, and of their biases, to element (i, j) of the whole
// output.
std::vector<double> contributions(const Call& call, const NamedTensors& inputs, Index i, Index j) {
  const Problem p = problem_of(call);
  std::vector<double> all;
  for (Index r = 0; r < p.tp; ++r) {
    const auto rank = static_cast<std::size_t>(r);
    const Range rows = p.x_rows(r), cols = p.out_of(r);
    const Tensor& w = inputs.at("w")[rank];
    if (!cols.contains(j)) continue;
    for (Index source = 0; source < p.tp; ++source) {
      const Tensor& x = inputs.at("x")[static_cast<std::size_t>(source)];
      if (p.is_row() ? source != r : !p.x_rows(source).contains(i)) continue;
      const Index row = i - (p.is_row() ? rows.begin : p.x_rows(source).begin);
      for (Index k = 0; k < x.cols; ++k)
        if (const double product = double{value_at(x, row, k)} * double{value_at(w, j - cols.begin, k)}; product != 0)
          all.push_back(product);
    }
    if (p.biased())
      if (const double bias = value_at(inputs.at("b")[rank], 0, j - cols.begin); bias != 0) all.push_back(bias);
  }
  return all;
}

int lowest_bit(double value) {
  int exponent = 0;
  const auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(significand));
}

// As whole numbers of the lowest bit of any of them.
std::vector<std::int64_t> in_units(const std::vector<double>& values) {
  int unit = 10'000;
  for (double value : values) unit = std::min(unit, lowest_bit(value));
  std::vector<std::int64_t> whole;
  for (double value : values) whole.push_back(static_cast<std::int64_t>(std::ldexp(std::abs(value), -unit)));
  return whole;
}

Index bits_of(DType type) { return format(type).fraction_bits + 1; }

RC_GTEST_PROP(Coded, ContributionsHaveNoBitInCommon, ()) {
  const auto plain = cells_where([](const Cell& c) {
    return c.pass == Pass::forward && c.recipe == RecipeKind::none && c.bias != BiasPlacement::after;
  });
  Call call = (*arbitrary_case_of(plain)).first();
  call.data = *rc::gen::element(Data::chunk_bits, Data::wild), call.tokens = std::max<Index>(call.tokens, 1);
  const NamedTensors inputs = make_inputs({{call}})[0];
  const Index i = *rc::gen::inRange<Index>(0, call.tokens), j = *rc::gen::inRange<Index>(0, call.out);
  const auto whole = in_units(contributions(call, inputs, i, j));
  std::int64_t united = 0, sum = 0;
  for (std::int64_t each : whole) united |= each, sum += each;
  RC_ASSERT(!whole.empty() && united == sum);
  RC_ASSERT(sum < std::int64_t{1} << std::min(bits_of(call.dtype), bits_of(call.wire)));
}

// The first so many powers of two, one for each block of K, and one more for the bias.
TEST(Coded, ChunkBitsNameEveryBlock) {
  const Call call = parse_case("tp=3 tokens=2 in=20 out=5 data=chunk_bits").first();
  auto bits = contributions(call, make_inputs({{call}})[0], 1, 4);
  for (double& bit : bits) bit = std::abs(bit);
  std::ranges::sort(bits);
  EXPECT_EQ(bits, (std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128}));
}

TEST(Coded, WildUsesTheFullWidthAndManyExponents) {
  const Call call = parse_case("tp=4 tokens=40 in=16 out=40 bias=none data=wild").first();
  const NamedTensors inputs = make_inputs({{call}})[0];
  std::set<int> exponents, signs;
  for (Index i = 0; i < 40; ++i) {
    double sum = 0;
    for (double each : contributions(call, inputs, i, i)) sum += each;
    exponents.insert(std::ilogb(sum)), signs.insert(sum < 0);
  }
  EXPECT_GE(exponents.size(), 15u);
  EXPECT_EQ(signs.size(), 2u);
}

}  // namespace
}  // namespace lockstep
