// Freivalds' check says yes to every exact product, and names exactly the elements that were changed.
#include "oracle/judges/freivalds/freivalds.h"

#include "oracle/judges/freivalds/freivalds_gemm.h"
#include "oracle/judges/freivalds/ones.h"
#include "property_tests/exact_product.h"
#include "property_tests/matrix.h"
#include "property_tests/refusal_by.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

namespace lockstep {
namespace {

ExactProduct f32_product(Index m, Index n, Index k, std::uint64_t seed = 1) {
  return exact_product(m, n, k, DType::bf16, DType::f32, 7, seed);
}

Claim claim_of(const ExactProduct& p) { return {placed("c", p.c), {{placed("a", p.a), placed("b", p.b)}}}; }

Findings check(const ExactProduct& p, const FreivaldsOptions& options = {}) { return freivalds(claim_of(p), options); }

// Another value than before; any code at all, or a near one.
std::uint32_t changed(const Tensor& c, Index i, Index j, Random& random) {
  const std::uint32_t code = code_at(c, i, j), all = ~std::uint32_t{0} >> (32 - format(c.dtype).bits);
  while (true) {
    const auto other = random.coin() ? static_cast<std::uint32_t>(random.word()) & all
                                     : encode(c.dtype, decode(c.dtype, code) + random.sign());
    if (other != code) return other;
  }
}

// Changes it and says what must be found.
WrongElement change(Tensor& c, Index i, Index j, Random& random) {
  const WrongElement wrong{i, j, changed(c, i, j, random), code_at(c, i, j)};
  set_code(c, i, j, wrong.got);
  return wrong;
}

Findings findings_of(std::vector<WrongElement> elements) {
  Findings findings;
  std::set<Index> rows, cols;
  for (const WrongElement& wrong : elements) rows.insert(wrong.row), cols.insert(wrong.col);
  std::ranges::sort(elements, {}, [](const WrongElement& w) { return std::pair(w.row, w.col); });
  findings.elements = std::move(elements);
  findings.rows.assign(rows.begin(), rows.end()), findings.cols.assign(cols.begin(), cols.end());
  if (!rows.empty()) findings.enclosing_rows = {*rows.begin(), *rows.rbegin() + 1};
  if (!cols.empty()) findings.enclosing_cols = {*cols.begin(), *cols.rbegin() + 1};
  return findings;
}

// All elements that `is_in` holds for.
template <typename F>
std::vector<WrongElement> change_where(Tensor& c, Random& random, const F& is_in) {
  std::vector<WrongElement> wrong;
  for (Index i = 0; i < c.rows; ++i)
    for (Index j = 0; j < c.cols; ++j)
      if (is_in(i, j)) wrong.push_back(change(c, i, j, random));
  return wrong;
}

void expect_found(ExactProduct p, Index i, Index j, Random& random) {
  const WrongElement wrong = change(p.c, i, j, random);
  EXPECT_EQ(check(p), findings_of({wrong})) << "row " << i << ", column " << j << ", code " << wrong.got;
}

TEST(Freivalds, AcceptsProductsOfAllSizesAndTypes) {
  for (DType operand : {DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2})
    for (DType output : {DType::f32, DType::bf16, DType::fp16})
      for (const auto& [m, n, k] : {std::tuple<Index, Index, Index>{0, 0, 0},
                                    {0, 3, 2},
                                    {3, 0, 2},
                                    {3, 2, 0},
                                    {1, 1, 1},
                                    {70, 33, 9},
                                    {33, 130, 9}})
        for (Index threads : {1, 3}) {
          const auto p = exact_product(m, n, k, operand, output, 3, 5);
          EXPECT_TRUE(check(p, {.threads = threads}).agrees()) << name(operand) << " " << m << " " << n << " " << k;
        }
}

TEST(Freivalds, FindsEverySingleElementOfASmallProduct) {
  Random random(1);
  const ExactProduct p = f32_product(30, 20, 28);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 20; ++j) expect_found(p, i, j, random);
}

TEST(Freivalds, FindsSingleElements) {
  Random random(2);
  const ExactProduct p = f32_product(96, 80, 112);
  for (int n = 0; n < 300; ++n) expect_found(p, random.between(0, 95), random.between(0, 79), random);
}

TEST(Freivalds, FindsSingleElementsNightly) {
  Random random(3);
  const ExactProduct p = f32_product(1024, 1024, 1024);
  for (int n = 0; n < 1000; ++n) expect_found(p, random.between(0, 1023), random.between(0, 1023), random);
}

TEST(Freivalds, FindsElementsOfAFullSizedProductNightly) {
  Random random(4);
  ExactProduct p = f32_product(8192, 8192, 8192);
  EXPECT_TRUE(check(p, {.threads = 2}).agrees());
  for (int n = 0; n < 5; ++n) {
    const Index i = random.between(0, 8191), j = random.between(0, 8191);
    const WrongElement wrong = change(p.c, i, j, random);
    EXPECT_EQ(check(p, {.threads = 2}), findings_of({wrong}));
    set_code(p.c, i, j, wrong.want);
  }
  const auto block =
      change_where(p.c, random, [](Index i, Index j) { return 4000 <= i && i < 4128 && 8064 <= j && j < 8192; });
  EXPECT_EQ(check(p, {.threads = 2}), findings_of(block));
}

// Any set of elements.
RC_GTEST_PROP(Freivalds, FindsAnySetOfElements, ()) {
  const auto size = [] { return *rc::gen::inRange<Index>(1, 40); };
  const Index m = size(), n = size(), k = size();
  const auto output = *rc::gen::element(DType::f32, DType::bf16, DType::fp16);
  ExactProduct p = exact_product(m, n, k, DType::bf16, output, 2, 7);
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Index odds = *rc::gen::inRange<Index>(1, 200);
  const auto wrong = change_where(p.c, random, [&](Index, Index) { return random.between(1, odds) == 1; });
  RC_ASSERT(check(p, {.seed = random.word()}) == findings_of(wrong));
}

TEST(Freivalds, FindsRowsColumnsBlocksAndDiagonals) {
  const std::pair<const char*, bool (*)(Index, Index)> shapes[] = {
      {"a row", [](Index i, Index) { return i == 17; }},
      {"a column", [](Index, Index j) { return j == 79; }},
      {"a block", [](Index i, Index j) { return 20 <= i && i < 60 && 40 <= j && j < 75; }},
      {"two blocks", [](Index i, Index j) { return (i < 9 && j < 7) || (i > 90 && j > 70); }},
      {"a diagonal", [](Index i, Index j) { return i == j; }},
      {"a row and a column", [](Index i, Index j) { return i == 3 || j == 5; }},
      {"all", [](Index, Index) { return true; }}};
  for (const auto& [shape, is_in] : shapes)
    for (Index threads : {1, 3}) {
      Random random(5);
      ExactProduct p = f32_product(96, 80, 112);
      const auto wrong = change_where(p.c, random, is_in);
      EXPECT_EQ(check(p, {.threads = threads}), findings_of(wrong)) << shape;
    }
}

TEST(Freivalds, FindsWhatNoSumCanBe) {
  ExactProduct p = exact_product(20, 30, 4, DType::bf16, DType::f32, 3, 1);
  const float values[] = {NAN, INFINITY, -INFINITY, 0.5f, 0x1p60f, -0x1p100f, 0x1p-140f};
  std::vector<WrongElement> wrong;
  for (Index n = 0; n < std::ssize(values); ++n) {
    wrong.push_back({n, 2 * n, encode(DType::f32, values[n]), code_at(p.c, n, 2 * n)});
    set_code(p.c, n, 2 * n, wrong.back().got);
  }
  EXPECT_EQ(check(p), findings_of(wrong));
}

// Two errors of a row that a vector of ones would not see.
TEST(Freivalds, FindsErrorsThatCancel) {
  ExactProduct p = f32_product(8, 8, 8);
  std::vector<WrongElement> wrong;
  for (const auto& [j, by] : {std::pair<Index, float>{2, 3.0f}, {6, -3.0f}}) {
    const std::uint32_t want = code_at(p.c, 4, j);
    wrong.push_back({4, j, encode(DType::f32, decode(DType::f32, want) + by), want});
    set_code(p.c, 4, j, wrong.back().got);
  }
  EXPECT_EQ(check(p), findings_of(wrong));
}

// All whole, one unit from what they were.
std::vector<WrongElement> change_by_one(Tensor& c, bool (*is_in)(Index, Index)) {
  std::vector<WrongElement> wrong;
  for (Index i = 0; i < c.rows; ++i)
    for (Index j = 0; j < c.cols; ++j) {
      if (!is_in(i, j)) continue;
      const std::uint32_t want = code_at(c, i, j);
      wrong.push_back({i, j, encode(c.dtype, decode(c.dtype, want) + 1), want});
      set_code(c, i, j, wrong.back().got);
    }
  return wrong;
}

// What the second vector is for: no more is computed anew than must be.
TEST(Freivalds, OneElementARowOrAColumnIsComputedAnewOnce) {
  const std::tuple<const char*, Index, bool (*)(Index, Index)> shapes[] = {
      {"one", 1, [](Index i, Index j) { return i == 50 && j == 70; }},
      {"the last", 1, [](Index i, Index j) { return i == 95 && j == 79; }},
      {"a diagonal", 80, [](Index i, Index j) { return i == j; }},
      {"a column", 96, [](Index, Index j) { return j == 7; }},
      {"a row", 1 + 80, [](Index i, Index) { return i == 7; }},
      {"a block", 5 + 6 + 5 * 6, [](Index i, Index j) { return 90 < i && 3 < j && j < 10; }}};
  for (const auto& [shape, budget, is_in] : shapes) {
    ExactProduct p = f32_product(96, 80, 112);
    const auto wrong = change_by_one(p.c, is_in);
    EXPECT_EQ(check(p, {.budget = budget}), findings_of(wrong)) << shape;
    const Findings short_of = check(p, {.budget = budget - 1});
    EXPECT_EQ(std::ssize(short_of.elements) + short_of.unexamined, std::ssize(wrong)) << shape;
    EXPECT_GT(short_of.unexamined, 0) << shape;
  }
}

// Sums of 1000 products that fill 128 bits.
TEST(Freivalds, TakesNumbersOf59Bits) {
  const auto column = [](Index rows) {
    Matrix m(rows, 1);
    for (float& value : m.values) value = 0x1.8p58f;
    m(rows / 2, 0) = 1;
    return m;
  };
  const Matrix b = column(1000);
  ExactProduct p{encode(DType::f32, matrix(2, 1, {1, 1})), encode(DType::f32, b), poisoned(DType::f32, 2, 1000)};
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 1000; ++j) set_code(p.c, i, j, encode(DType::f32, b(j, 0)));
  const auto expect_alike = [](const ExactProduct& product) {
    EXPECT_TRUE(check(product).agrees());
    ExactProduct wrong = product;
    const auto element = change_by_one(wrong.c, [](Index i, Index j) { return i == 1 && j == 500; });
    EXPECT_EQ(check(wrong), findings_of(element));
  };
  expect_alike(p);
  Tensor turned = encode(DType::f32, transposed(decode(p.c)));
  expect_alike({p.b, p.a, turned});
  // Large in C's rows alone, so that no overflow elsewhere cancels one there.
  ExactProduct wide{encode(DType::f32, matrix(2, 1, {0x1.8p58f, 1})), ones(1000, 1), poisoned(DType::f32, 2, 1000)};
  for (Index j = 0; j < 1000; ++j)
    for (Index i = 0; i < 2; ++i) set_code(wide.c, i, j, code_at(wide.a, i, 0));
  expect_alike(wide);
}

// 2^61 is 1 modulo p.
TEST(Freivalds, SeesAFactorOf2To61) {
  const ExactProduct p{encode(DType::f32, matrix(1, 1, {1})), encode(DType::f32, matrix(1, 1, {1})),
                       encode(DType::f32, matrix(1, 1, {0x1p61f}))};
  EXPECT_EQ(check(p), findings_of({{0, 0, encode(DType::f32, 0x1p61f), encode(DType::f32, 1)}}));
}

TEST(Freivalds, ANegativeZeroIsWrong) {
  ExactProduct p{encode(DType::bf16, Matrix(2, 3)), encode(DType::bf16, Matrix(2, 3)),
                 encode(DType::f32, Matrix(2, 2))};
  EXPECT_TRUE(check(p).agrees());
  set_code(p.c, 1, 0, 0x80000000);
  EXPECT_EQ(check(p), findings_of({{1, 0, 0x80000000, 0}}));
}

// Whose place among the whole numbers would be 0.
TEST(Freivalds, ANaNIsWrongWhereTheSumIsZero) {
  ExactProduct p{encode(DType::bf16, Matrix(2, 3)), encode(DType::bf16, Matrix(2, 3)),
                 encode(DType::f32, Matrix(2, 2))};
  set_code(p.c, 0, 1, 0x7FC00000);
  EXPECT_EQ(check(p), findings_of({{0, 1, 0x7FC00000, 0}}));
}

TEST(Freivalds, NamesRowsAndColumnsBeyondItsBudget) {
  Random random(6);
  ExactProduct p = f32_product(96, 80, 112);
  const auto wrong = change_where(p.c, random, [](Index i, Index j) { return i < 10 && j < 20; });
  const Findings all = findings_of(wrong);
  for (Index budget : {0, 5, 29, 30, 40, 77, 229, 230}) {
    const Findings some = check(p, {.budget = budget});
    EXPECT_EQ(some.rows, all.rows) << budget;
    EXPECT_EQ(some.cols, all.cols) << budget;
    EXPECT_EQ(std::ssize(some.elements) + some.unexamined, 200) << budget;
    EXPECT_LE(std::ssize(some.elements), budget);
  }
}

TEST(Freivalds, PoisonEverywhereIsFoundWithinTheBudget) {
  ExactProduct p = f32_product(96, 80, 112);
  p.c = poisoned(DType::f32, 96, 80);
  EXPECT_EQ(check(p).elements.size(), 96u * 80u);
  const Findings some = check(p, {.budget = 200});
  EXPECT_EQ(some.elements.size() + static_cast<std::size_t>(some.unexamined), 96u * 80u);
  EXPECT_EQ(some.rows.size(), 96u);
  EXPECT_EQ(some.cols.size(), 80u);
}

// C = A B^T + D + 1 b^T, in quanta of 2^-6; what is not integer is still whole.
struct Affine {
  Tensor a, b, c, d, bias, one = ones(5, 1);

  Claim claim() const {
    return {placed("c", c),
            {{placed("a", a), placed("b", b)}, {placed("one", one), transposed(placed("bias", bias))}},
            placed("d", d)};
  }
};

Affine affine(Random random) {
  const auto draw = [&](Index rows, Index cols, float quantum) {
    Matrix m(rows, cols);
    for (float& value : m.values) value = quantum * static_cast<float>(random.between(-9, 9));
    return m;
  };
  const Matrix a = draw(5, 6, 0.125f), b = draw(7, 6, 0.125f), d = draw(5, 7, 0.5f), bias = draw(1, 7, 0.25f);
  Matrix c = d;
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 7; ++j) {
      c(i, j) += bias(0, j);
      for (Index k = 0; k < 6; ++k) c(i, j) += a(i, k) * b(j, k);
    }
  return {encode(DType::fp16, a), encode(DType::bf16, b), encode(DType::f32, c), encode(DType::bf16, d),
          encode(DType::f32, bias)};
}

RC_GTEST_PROP(Freivalds, TakesTermsBiasesAndAnAddend, ()) {
  Affine affine_case = affine(Random(*rc::gen::arbitrary<std::uint64_t>()));
  RC_ASSERT(freivalds(affine_case.claim(), {}).agrees());
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<WrongElement> wrong;
  for (Index i : {1, 3}) wrong.push_back(change(affine_case.c, i, random.between(0, 6), random));
  RC_ASSERT(freivalds(affine_case.claim(), {}) == findings_of(wrong));
}

GemmInputs fp8_gemm(const ExactProduct& p) {
  return {.input = p.a,
          .weight = p.b,
          .input_scale = encode(DType::f32, matrix(1, 1, {3.0f})),
          .weight_scale = encode(DType::f32, matrix(1, 1, {0.25f})),
          .c = encode(DType::bf16, matrix(2, 3, {1, 2, 3, 4, 5, 6})),
          .bias = encode(DType::bf16, matrix(1, 3, {0.5f, -1, 2})),
          .output = DType::f32};
}

TEST(FreivaldsGemm, AgreesWithTheReferenceAndFindsAnElement) {
  const GemmInputs inputs = fp8_gemm(exact_product(2, 3, 40, DType::e4m3, DType::f32, 7, 3));
  Tensor output = gemm(inputs, exact_sum).output;
  EXPECT_TRUE(freivalds(inputs, output, {}).agrees());
  Random random(7);
  const WrongElement wrong = change(output, 1, 2, random);
  EXPECT_EQ(freivalds(inputs, output, {}), findings_of({wrong}));
}

TEST(FreivaldsGemm, RefusesWhatIsNoProductOfItsCodes) {
  GemmInputs inputs = fp8_gemm(exact_product(2, 3, 40, DType::e4m3, DType::f32, 7, 3));
  const Tensor output = gemm(inputs, exact_sum).output;
  inputs.output_scale = 2;
  EXPECT_THAT(refusal_by([&] { freivalds(inputs, output, {}); }), testing::HasSubstr("output_scale is 2"));
  inputs.output_scale = 1, inputs.input_scale = encode(DType::f32, matrix(1, 1, {INFINITY}));
  EXPECT_THAT(refusal_by([&] { freivalds(inputs, output, {}); }), testing::HasSubstr("scale is finite"));
  inputs.scaling = Scaling::by_1x128_128x128;
  EXPECT_THAT(refusal_by([&] { freivalds(inputs, output, {}); }), testing::HasSubstr("scales by blocks"));
}

TEST(Freivalds, RefusesDataThatIsNotExact) {
  const ExactProduct good = exact_product(4, 5, 6, DType::f32, DType::f32, 3, 1);
  const auto with = [&](float value) {
    ExactProduct p = good;
    set_code(p.b, 2, 1, encode(DType::f32, value));
    return refusal_by([&] { check(p); });
  };
  EXPECT_THAT(with(NAN), testing::HasSubstr("b is nan at row 2, column 1"));
  EXPECT_THAT(with(INFINITY), testing::HasSubstr("b is inf at row 2, column 1"));
  EXPECT_THAT(with(0x1p70f), testing::HasSubstr("b has values of up to"));
  EXPECT_THAT(with(0x1p58f), testing::HasSubstr("the terms of c can add up to"));
}

// 257 has no bf16.
TEST(Freivalds, RefusesASumThatTheOutputHasNoCodeFor) {
  const ExactProduct p{encode(DType::bf16, matrix(1, 2, {128, 1})), encode(DType::bf16, matrix(1, 2, {2, 1})),
                       encode(DType::bf16, matrix(1, 1, {257}))};
  EXPECT_THAT(refusal_by([&] { check(p); }), testing::HasSubstr("c must be 257 * 2^0 at row 0, column 0, which bf16"));
}

TEST(Freivalds, RefusesAnOutputWithAHole) {
  const ExactProduct p = f32_product(4, 5, 6);
  Claim claim = claim_of(p);
  claim.c.parts.clear();
  EXPECT_THAT(refusal_by([&] { freivalds(claim, {}); }), testing::HasSubstr("c has no tensor at some of its 4 x 5"));
  claim.c.parts = {{&p.c, 0, 1}};
  EXPECT_THROW(freivalds(claim, {}), std::logic_error);
}

TEST(Freivalds, RefusesShapesThatDoNotGoTogether) {
  ExactProduct p = f32_product(4, 5, 6);
  p.b = encode(DType::bf16, Matrix(5, 7));
  EXPECT_THAT(refusal_by([&] { check(p); }), testing::HasSubstr("b is 5 x 7: beside a of 4 x 6 it is 5 x 6"));
  p.b = encode(DType::bf16, Matrix(4, 6));
  EXPECT_THAT(refusal_by([&] { check(p); }), testing::HasSubstr("b is 4 x 6"));
  p.a = encode(DType::bf16, Matrix(3, 6));
  EXPECT_THAT(refusal_by([&] { check(p); }), testing::HasSubstr("a is 3 x 6: beside c of 4 x 5"));
}

}  // namespace
}  // namespace lockstep
