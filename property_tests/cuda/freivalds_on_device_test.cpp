// Freivalds' check on the device, held against the host's, which has tests of its own.
#include "oracle/judges/cuda/freivalds_on_device.h"

#include "oracle/judges/cuda/limb_sums.h"
#include "oracle/judges/cuda/read_back.h"
#include "oracle/judges/cuda/residue_vectors.h"
#include "oracle/judges/freivalds/freivalds.h"
#include "oracle/judges/freivalds/ones.h"
#include "property_tests/cuda/uploaded.h"
#include "property_tests/exact_product.h"
#include "property_tests/matrix.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>

#include <cmath>

namespace lockstep {
namespace {

// C = scale A B^T + D + 1 bias, on host and device, in quanta of their own.
struct Sides {
  ExactProduct p;
  std::optional<Tensor> d = {}, bias = {};
  float scale = 1;
  int of_a = 0, of_b = 0, of_addends = 0;
  Tensor column = ones(p.c.rows, 1);

  Claim host() const {
    Claim claim{placed("c", p.c), {{placed("a", p.a), placed("b", p.b), scale}}};
    if (bias) claim.terms.push_back({placed("a column of ones", column), transposed(placed("bias", *bias))});
    if (d) claim.d = placed("d", *d);
    return claim;
  }
};

// The same on the device, rows apart and beginning anywhere, some stored as the transpose.
struct OfSides {
  const Sides& sides;
  Random random;
  std::vector<Uploaded> kept{};
  DeviceClaim claim{};

  MatrixOnDevice put(const Tensor& t) {
    const bool turn = random.between(0, 3) == 0;
    const Tensor stored = turn ? encode(t.dtype, transposed(decode(t))) : t;
    const Index step = 16 / bytes_of(t.dtype), to_step = (step - stored.cols % step) % step;
    const Index gap = random.coin() ? to_step : random.between(0, 9);
    const Uploaded& there = kept.emplace_back(stored, gap, random.coin() ? 0 : random.between(1, 9));
    return turn ? transposed(there.matrix) : there.matrix;
  }

  DeviceFindings check() {
    kept.clear(), kept.reserve(5);
    claim = {
        "c", put(sides.p.c), {{{"a", put(sides.p.a), sides.of_a}, {"b", put(sides.p.b), sides.of_b}, sides.scale}}};
    if (sides.d) claim.addends.push_back({"d", put(*sides.d), sides.of_addends});
    if (sides.bias) claim.addends.push_back({"bias", put(*sides.bias), sides.of_addends});
    return freivalds_on_device(claim, {.seed = random.word(), .most = 1 << 20});
  }
};

DeviceFindings on_device(const Sides& sides, std::uint64_t seed) { return OfSides{sides, Random(seed)}.check(); }

void expect_alike(const Sides& sides, std::uint64_t seed, const std::string& what) {
  const Findings host = freivalds(sides.host(), {.seed = seed});
  const DeviceFindings device = on_device(sides, seed);
  EXPECT_EQ(device.rows, host.rows) << what;
  EXPECT_EQ(device.cols, host.cols) << what;
  EXPECT_EQ(device.wrong_rows, std::ssize(host.rows)) << what;
  EXPECT_EQ(device.wrong_cols, std::ssize(host.cols)) << what;
}

class DeviceFreivalds : public JudgeOnDevice {};

constexpr DType storage[] = {DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2};
DType any(Random& random) { return storage[random.between(0, 4)]; }

Index any_size(Random& random) {
  return random.between(0, 9) == 0 ? random.between(0, 1) : random.between(1, random.coin() ? 40 : 700);
}

// Numbers that every storage type has.
Sides draw(Random& random) {
  const DType output = storage[random.between(0, 2)];
  const Index m = any_size(random), n = any_size(random), k = random.between(0, 40);
  return {exact_product(m, n, k, any(random), output, output == DType::bf16 ? 2 : 3, random.word())};
}

std::uint32_t flipped(const Tensor& t, Index i, Index j, Random& random) {
  return code_at(t, i, j) ^ 1u << random.between(0, format(t.dtype).bits - 1);
}

// Any sizes and types; some elements changed by any bit, or none.
TEST_F(DeviceFreivalds, SaysWhatTheHostsJudgeSays) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Sides sides = draw(random);
    Tensor& c = sides.p.c;
    if (c.rows > 0 && c.cols > 0 && random.coin())
      for (Index n = random.between(1, 5); n > 0; --n) {
        const Index i = random.between(0, c.rows - 1), j = random.between(0, c.cols - 1);
        set_code(c, i, j, flipped(c, i, j, random));
      }
    expect_alike(sides, seed, fmt::format("seed {}, {} x {} x {}", seed, c.rows, c.cols, sides.p.a.cols));
  }
}

TEST_F(DeviceFreivalds, AcceptsEverySizeAboutAPanel) {
  for (DType type : storage)
    for (Index m : {0, 1, 7, 8, 9, 127, 128, 129, 300})
      for (Index k : {0, 1, 255, 256, 257, 513, 1025})
        EXPECT_TRUE(on_device({exact_product(m, 33, k, type, DType::f32, 2, 3)}, 5).agrees())
            << name(type) << " " << m << " x 33 x " << k;
}

TEST_F(DeviceFreivalds, FindsEverySingleElement) {
  Random random(1);
  const ExactProduct p = exact_product(130, 270, 64, DType::bf16, DType::bf16, 1, 7);
  const Uploaded a(p.a), b(p.b), c(p.c, 2);
  const DeviceClaim claim{"c", c, {{{"a", a}, {"b", b}}}};
  Scratch scratch;
  for (int n = 0; n < 400; ++n) {
    const Index i = random.between(0, 129), j = random.between(0, 269);
    c.set(i, j, flipped(p.c, i, j, random));
    const DeviceFindings found = freivalds_on_device(claim, {.seed = random.word()}, scratch);
    c.set(i, j, code_at(p.c, i, j));
    EXPECT_THAT(found.rows, testing::ElementsAre(i));
    EXPECT_THAT(found.cols, testing::ElementsAre(j));
  }
  EXPECT_TRUE(freivalds_on_device(claim, {}, scratch).agrees());
}

// Rows and columns that a vector of ones would not see.
TEST_F(DeviceFreivalds, FindsErrorsThatCancel) {
  const auto by = [](Tensor& c, Index i, Index j, float change) {
    set_code(c, i, j, encode(c.dtype, value_at(c, i, j) + change));
  };
  Sides sides{exact_product(90, 300, 16, DType::bf16, DType::f32, 3, 1)};
  by(sides.p.c, 4, 2, 3), by(sides.p.c, 4, 290, -3);
  const DeviceFindings row = on_device(sides, 1);
  EXPECT_THAT(row.rows, testing::ElementsAre(4));
  EXPECT_THAT(row.cols, testing::ElementsAre(2, 290));
  by(sides.p.c, 71, 2, -3), by(sides.p.c, 71, 290, 3);
  const DeviceFindings square = on_device(sides, 2);
  EXPECT_THAT(square.rows, testing::ElementsAre(4, 71));
  EXPECT_THAT(square.cols, testing::ElementsAre(2, 290));
}

TEST_F(DeviceFreivalds, FindsWhatNoSumCanBe) {
  const float values[] = {NAN, INFINITY, -INFINITY, 0.5f, 0x1p60f, -0x1p100f, 0x1p-140f};
  for (Index at : {0, 31, 64, 299}) {
    Sides sides{exact_product(20, 300, 4, DType::bf16, DType::f32, 3, 1)};
    Index i = 1;
    for (float value : values) set_code(sides.p.c, i++, at, encode(DType::f32, value));
    const DeviceFindings found = on_device(sides, 1);
    EXPECT_THAT(found.rows, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7)) << at;
    EXPECT_THAT(found.cols, testing::ElementsAre(at));
    EXPECT_EQ(found.misfits, 7);
  }
}

// Where the sum is 0, so is what a misfit counts as.
TEST_F(DeviceFreivalds, ANaNAndANegativeZeroAreWrongWhereTheSumIsZero) {
  for (DType type : {DType::f32, DType::bf16, DType::fp16})
    for (std::uint32_t code : {~0u >> (32 - format(type).bits), 1u << (format(type).bits - 1)}) {
      Sides sides{
          {encode(DType::bf16, Matrix(20, 8)), encode(DType::bf16, Matrix(40, 8)), encode(type, Matrix(20, 40))}};
      EXPECT_TRUE(on_device(sides, 1).agrees());
      set_code(sides.p.c, 3, 17, code);
      const DeviceFindings found = on_device(sides, 2);
      EXPECT_THAT(found.rows, testing::ElementsAre(3)) << name(type) << " " << code;
      EXPECT_THAT(found.cols, testing::ElementsAre(17));
      EXPECT_EQ(found.misfits, 1);
    }
}

// A -0 among the inputs is a 0.
TEST_F(DeviceFreivalds, TakesANegativeZeroAsInput) {
  Sides sides{exact_product(20, 40, 16, DType::bf16, DType::f32, 1, 3)};
  for (Index i = 0; i < 20; ++i)
    for (Index k = 0; k < 16; ++k)
      if (code_at(sides.p.a, i, k) == 0) set_code(sides.p.a, i, k, 0x8000);
  EXPECT_TRUE(on_device(sides, 1).agrees());
}

Matrix multiples(Index rows, Index cols, float quantum, Random& random) {
  Matrix m(rows, cols);
  for (float& value : m.values) value = quantum * static_cast<float>(random.between(-9, 9));
  return m;
}

// Quanta of every kind, a scale that is no power of two, an addend and a bias.
Sides affine(Random random) {
  const Index m = random.between(1, 150), n = random.between(1, 300), k = random.between(1, 60);
  const Matrix a = multiples(m, k, 0.125f, random), b = multiples(n, k, 4, random), d = multiples(m, n, 0.5f, random),
               bias = multiples(1, n, 0.25f, random);
  Matrix c = d;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      c(i, j) += bias(0, j);
      for (Index at = 0; at < k; ++at) c(i, j) += 0.75f * (a(i, at) * b(j, at));
    }
  return {.p = {encode(DType::fp16, a), encode(DType::bf16, b), encode(DType::f32, c)},
          .d = encode(DType::bf16, d),
          .bias = encode(DType::f32, bias),
          .scale = 0.75f,
          .of_a = -3,
          .of_b = 2,
          .of_addends = -2};
}

TEST_F(DeviceFreivalds, TakesScalesAddendsAndBiases) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Sides sides = affine(Random(seed));
    EXPECT_TRUE(on_device(sides, seed).agrees()) << seed;
    Random random(seed);
    Tensor& c = sides.p.c;
    const Index i = random.between(0, c.rows - 1), j = random.between(0, c.cols - 1);
    set_code(c, i, j, flipped(c, i, j, random));
    expect_alike(sides, seed, fmt::format("seed {}", seed));
  }
}

// One rank's product each, as many as are taken.
TEST_F(DeviceFreivalds, TakesManyTerms) {
  const ExactProduct p = exact_product(70, 40, 95, DType::bf16, DType::f32, 3, 1);
  const Uploaded a(p.a), b(p.b), c(p.c);
  DeviceClaim claim{"c", c, {}};
  for (Index k = 0; k < 95; ++k) {
    const auto column = [&](const Uploaded& of) {
      MatrixOnDevice m = of.matrix;
      m.data = static_cast<const std::byte*>(m.data) + 2 * k, m.cols = 1;
      return m;
    };
    claim.terms.push_back({{"a", column(a)}, {"b", column(b)}});
  }
  EXPECT_TRUE(freivalds_on_device(claim, {}).agrees());
  claim.terms[94].scale = 2;
  EXPECT_FALSE(freivalds_on_device(claim, {}).agrees());
  claim.terms.push_back(claim.terms[0]);
  EXPECT_THROW(freivalds_on_device(claim, {}), Refusal);
}

// A bias that is wrong is wrong in every row.
TEST_F(DeviceFreivalds, ABiasOfAnotherColumnIsSeenInEveryRow) {
  Sides sides = affine(Random(3));
  const Index last = sides.bias->cols - 1;
  set_code(*sides.bias, 0, last, encode(DType::f32, value_at(*sides.bias, 0, last) + 1));
  const DeviceFindings found = on_device(sides, 1);
  EXPECT_EQ(found.wrong_rows, sides.p.c.rows);
  EXPECT_THAT(found.cols, testing::ElementsAre(last));
}

// Beyond the numbers that limbs bear: full significands, sums of 58 bits.
TEST_F(DeviceFreivalds, TakesLargeNumbers) {
  Random random(9);
  Matrix a(140, 1), c(140, 70);
  for (float& value : a.values) value = std::ldexp(static_cast<float>(random.between(1 << 23, (1 << 24) - 1)), 34);
  for (Index i = 0; i < c.rows; ++i)
    for (Index j = 0; j < c.cols; ++j) c(i, j) = a(i, 0) * (j % 2 == 0 ? 1 : -1);
  Matrix b(70, 1);
  for (Index j = 0; j < 70; ++j) b(j, 0) = j % 2 == 0 ? 1 : -1;
  Sides sides{{encode(DType::f32, a), encode(DType::bf16, b), encode(DType::f32, c)}};
  EXPECT_TRUE(on_device(sides, 1).agrees());
  set_code(sides.p.c, 139, 69, code_at(sides.p.c, 139, 69) ^ 1);
  expect_alike(sides, 2, "the last bit of a large number");
}

// 2^61 is 1 modulo p.
TEST_F(DeviceFreivalds, SeesAFactorOf2To61) {
  const Tensor one = encode(DType::f32, matrix(1, 1, {1}));
  const DeviceFindings found = on_device({{one, one, encode(DType::f32, matrix(1, 1, {0x1p61f}))}}, 1);
  EXPECT_EQ(found.wrong_rows, 1);
  EXPECT_EQ(found.misfits, 1);
}

TEST_F(DeviceFreivalds, RefusesDataThatIsNotExact) {
  const auto with = [](float value, Index row, Index col) {
    ExactProduct p = exact_product(40, 50, 300, DType::f32, DType::f32, 3, 1);
    set_code(p.b, row, col, encode(DType::f32, value));
    const Uploaded a(p.a), b(p.b), c(p.c);
    try {
      freivalds_on_device({"c", c, {{{"a", a}, {"b", b}}}}, {});
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string("accepted");
  };
  for (float value : {NAN, INFINITY, 0.5f, 0x1p60f})
    EXPECT_THAT(with(value, 33, 299), testing::HasSubstr("the first stored at row 33, column 299")) << value;
  EXPECT_THAT(with(0x1p58f, 0, 0), testing::HasSubstr("the terms of c can add up to"));
}

TEST_F(DeviceFreivalds, TheHostCanMakeTheSameVectors) {
  Scratch scratch;
  const DeviceVector x{scratch.take<Mersenne61>(1000), 1000};
  fill_random(x, 5, 2, nullptr);
  const std::vector<Mersenne61> numbers = read_back(x.data, 1000, nullptr);
  for (Index j = 0; j < 1000; ++j) EXPECT_EQ(numbers[static_cast<std::size_t>(j)], random_unit(5, 2, j));
}

// Every look takes numbers of its own.
TEST_F(DeviceFreivalds, GivesTheSameAnswerTwiceAndUnderAnySeed) {
  Sides sides{exact_product(200, 300, 64, DType::e4m3, DType::f32, 3, 1)};
  set_code(sides.p.c, 150, 299, 0x3F800000);
  set_code(sides.p.c, 150, 7, 0x7FC00000);
  const DeviceFindings first = on_device(sides, 1);
  for (std::uint64_t seed = 1; seed < 12; ++seed) EXPECT_EQ(on_device(sides, seed), first);
  EXPECT_EQ(first.wrong_cols, 2);
}

TEST_F(DeviceFreivalds, NamesTheFirstOfManyRows) {
  Sides sides{exact_product(300, 400, 64, DType::bf16, DType::f32, 3, 1)};
  sides.p.c = poisoned(DType::f32, 300, 400);
  const Uploaded a(sides.p.a), b(sides.p.b), c(sides.p.c);
  const DeviceFindings found = freivalds_on_device({"c", c, {{{"a", a}, {"b", b}}}}, {.most = 3});
  EXPECT_EQ(found.wrong_rows, 300);
  EXPECT_EQ(found.wrong_cols, 400);
  EXPECT_EQ(found.misfits, 300 * 400);
  EXPECT_THAT(found.rows, testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(found.cols, testing::ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace lockstep
