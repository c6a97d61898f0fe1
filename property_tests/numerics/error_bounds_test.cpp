// Soundness: no accumulator errs by more than its bound, whatever the data; and the bounds are those that are stated.
#include "reference/numerics/error_bounds.h"

#include "oracle/inputs/random.h"
#include "reference/numerics/bounded_sums.h"
#include "reference/numerics/dot.h"
#include "reference/numerics/split_k.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <map>

namespace lockstep {
namespace {

struct Named {
  const char* name;
  Accumulator accumulator;
  bool takes_16_bits, takes_8_bits;
};
constexpr Named all[] = {
    {"f32_in_order", f32_in_order, true, true},    {"hopper_16bit", hopper_16bit, true, false},
    {"ampere_16bit", ampere_16bit, true, false},   {"blackwell_16bit", blackwell_16bit, true, false},
    {"hopper_fp8", hopper_fp8, false, true},       {"hopper_fp8_promoted", hopper_fp8_promoted, false, true},
    {"blackwell_fp8", blackwell_fp8, false, true},
};

enum class Kind { normal, same_sign, cancelling, log_uniform, subnormal, sparse, swallowed };

std::uint32_t random_finite_code(DType type, Random& random) {
  for (;;)
    if (const auto code = static_cast<std::uint32_t>(random.word() >> (64 - format(type).bits));
        std::isfinite(decode(type, code)))
      return code;
}

float random_value(DType type, Kind kind, Random& random) {
  const Format& f = format(type);
  switch (kind) {
    case Kind::log_uniform:
      return decode(type, random_finite_code(type, random));
    case Kind::subnormal:
      return random.sign() * std::ldexp(static_cast<float>(random.between(0, (2 << f.fraction_bits) - 1)),
                                        1 - f.bias - f.fraction_bits);
    case Kind::same_sign:
      return round_to(type, std::abs(random.normal()));
    case Kind::sparse:
      return random.between(0, 3) > 0 ? 0.0f : round_to(type, random.normal());
    default:
      return round_to(type, random.normal());
  }
}

struct Operands {
  Matrix a, b;
};

int smallest_exponent(DType type) { return 1 - format(type).bias; }

// Products just below what a step cuts off, beside one that is large, or only counts as large since one of its factors
// is subnormal: nearly all of them are lost.
void swallow(Operands& o, DType type_a, DType type_b, const Accumulator& core, Random& random) {
  const bool by_subnormal = random.coin();
  const int large_b = bytes_of(type_b) == 1 ? 8 : by_subnormal ? -smallest_exponent(type_b) : 0;
  const int large_a = by_subnormal ? smallest_exponent(type_a) : large_b;
  const int small = large_a + large_b - core.fraction_bits - 1;
  const int small_a = std::max(smallest_exponent(type_a), small / 2), small_b = small - small_a;
  if (small_b < smallest_exponent(type_b)) return;
  for (Index k = 0; k < o.a.cols; ++k) {
    o.a(0, k) = std::ldexp(bytes_of(type_a) == 1 ? 1.75f : 1.984375f, small_a);
    o.b(0, k) = std::ldexp(1.0f, small_b);
  }
  const Index at = random.between(0, std::min<Index>(o.a.cols, core.products) - 1);
  o.a(0, at) = std::ldexp(1.0f, by_subnormal ? large_a - format(type_a).fraction_bits : large_a);
  o.b(0, at) = std::ldexp(1.0f, large_b);
}

Operands random_operands(DType type_a, DType type_b, const Accumulator& accumulator, Index k, Kind kind,
                         Random& random) {
  Operands o{Matrix(1, k), Matrix(1, k)};
  for (Index i = 0; i < k; ++i) {
    o.a(0, i) = random_value(type_a, kind, random);
    o.b(0, i) = random_value(type_b, kind, random);
    if (kind == Kind::same_sign) o.b(0, i) = std::abs(o.b(0, i));
    if (kind == Kind::cancelling && i >= k / 2 && i > 0) o.a(0, i) = -o.a(0, i - k / 2), o.b(0, i) = o.b(0, i - k / 2);
  }
  if (kind == Kind::swallowed && accumulator.summation == Summation::tensor_core)
    swallow(o, type_a, type_b, accumulator, random);
  return o;
}

float split_dot(const Accumulator& accumulator, DType type, const FactorRow& a, const FactorRow& b, Index k,
                Index splits) {
  float sum = 0;
  for (const Range& range : split_k_ranges(k, splits, split_k_tile(type))) sum += dot(accumulator, a, b, range);
  return sum;
}

Index random_k(Random& random) {
  switch (random.between(0, 3)) {
    case 0:
      return random.between(1, 4);
    case 1:
      return random.between(1, 40);
    default:
      return random.between(1, 300);
  }
}

// Difference over bound; the largest seen is kept of each accumulator.
struct Seen {
  std::map<std::string, double> largest;

  void expect_within(const std::string& what, double difference, double bound, const std::string& where) {
    ASSERT_TRUE(difference <= bound * (1 + 0x1p-20))
        << what << " " << where << ": off by " << difference << ", bound " << bound;
    if (bound > 0) largest[what] = std::max(largest[what], difference / bound);
  }
};

double total(const SumError& error, double magnitude) { return error.relative * magnitude + error.absolute; }

void check_one(const Named& named, DType type_a, DType type_b, Random& random, Seen& seen) {
  const Accumulator& accumulator = named.accumulator;
  const auto kind = static_cast<Kind>(random.between(0, 6));
  const Index k = random_k(random), splits = random.coin() ? 1 : random.between(2, 6);
  const Operands operands = random_operands(type_a, type_b, accumulator, k, kind, random);
  const Factor left(operands.a, type_a), right(operands.b, type_b);
  const FactorRow a = left.row(0), b = right.row(0);
  const ExactSum exact = exact_dot(accumulator, a, b, {0, k}), of_core = exact_dot(hopper_16bit, a, b, {0, k});
  if (of_core.magnitude > std::numeric_limits<float>::max()) return;
  const double off = std::abs(split_dot(accumulator, type_a, a, b, k, splits) - exact.value);
  const auto where =
      fmt::format("{} x {}, kind {}, K {}, split-K {}", name(type_a), name(type_b), static_cast<int>(kind), k, splits);
  seen.expect_within(named.name, off, total(error_of_sums(accumulator, k), exact.magnitude), where);
  if (accumulator.summation == Summation::tensor_core && accumulator.promote_every == 0 && splits == 1)
    seen.expect_within(fmt::format("{}, running", named.name), off, running_error(accumulator, a, b, {0, k}), where);
  seen.expect_within(fmt::format("{}, any order", named.name), off,
                     total(error_of_sums_in_any_order(type_a, k), of_core.magnitude), where);
}

Seen check_many(Index dots) {
  constexpr DType two_bytes[] = {DType::bf16, DType::fp16}, one_byte[] = {DType::e4m3, DType::e5m2};
  Random random(20261201);
  Seen seen;
  for (Index n = 0; n < dots && !testing::Test::HasFatalFailure(); ++n) {
    const Named& named = all[n % std::size(all)];
    const bool is_fp8 = named.takes_8_bits && (!named.takes_16_bits || random.coin());
    if (is_fp8)
      check_one(named, one_byte[random.between(0, 1)], one_byte[random.between(0, 1)], random, seen);
    else if (const DType type = two_bytes[random.between(0, 1)]; true)
      check_one(named, type, type, random, seen);
  }
  return seen;
}

// Sound, and near enough to be worth something: a tensor core is seen to lose half of what its own bound allows.
TEST(ErrorBounds, NoSumErrsByMore) {
  const Seen seen = check_many(20'000);
  for (const char* core : {"hopper_16bit", "ampere_16bit", "hopper_fp8", "blackwell_fp8"})
    EXPECT_GT(seen.largest.at(core), 0.5) << core;
}

TEST(ErrorBounds, NightlyNoSumOfAMillionErrsByMore) {
  for (const auto& [what, largest] : check_many(1'000'000).largest)
    std::cout << fmt::format("{:<30} {:.3f} of its bound\n", what, largest);
}

TEST(ErrorBounds, AreThoseThatAreStated) {
  for (const Index k : {16, 64, 4096}) {
    const auto n = static_cast<double>(k), floats = n * 0x1p-24, splits = std::ceil(n / 64) * 0x1p-24;
    EXPECT_NEAR(error_of_sums(hopper_16bit, k).relative, 5 * n * 0x1p-27 + splits, 0.1 * n * 0x1p-27);
    EXPECT_NEAR(error_of_sums_in_any_order(DType::bf16, k).relative, 5 * n * 0x1p-27 + splits + floats,
                0.2 * n * 0x1p-27);
  }
  EXPECT_NEAR(error_of_sums_in_any_order(DType::e4m3, 4096).relative, 33 * 4096 * 0x1p-18, 0.001);
  EXPECT_EQ(error_of_sums_in_any_order(DType::f32, 100).relative, gamma_of_floats(100));
  EXPECT_EQ(error_of_sums_in_any_order(DType::bf16, 0).relative, 0);
}

Matrix random_matrix(Index rows, Index cols, DType type, Random& random) {
  Matrix m(rows, cols);
  for (float& value : m.values) value = random_value(type, static_cast<Kind>(random.between(0, 5)), random);
  return m;
}

TEST(ErrorBounds, AllSumsAtOnceHaveTheBoundsOfEach) {
  Random random(3);
  for (const DType type : {DType::bf16, DType::e5m2, DType::f32}) {
    const DType values = type == DType::f32 ? DType::fp16 : type;
    const Factor a(random_matrix(5, 40, values, random), type), b(random_matrix(7, 40, values, random), type);
    const Range k{3, 37};
    const auto sums = bounded_sums_in_any_order(type, a, b, k);
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 7; ++j) {
        const ExactSum exact = exact_dot(hopper_16bit, a.row(i), b.row(j), k);
        EXPECT_EQ(sums(i, j).value, exact.value);
        const bool may_overflow = exact.magnitude > std::numeric_limits<float>::max();
        EXPECT_EQ(sums(i, j).radius, may_overflow ? std::numeric_limits<double>::infinity()
                                                  : total(error_of_sums_in_any_order(type, 34), exact.magnitude));
      }
  }
}

// Sums of P numbers of a type, rounded to it after every addition, in random orders.
TEST(ErrorBounds, ARunningSumStaysWithinItsBound) {
  Random random(5);
  double largest = 0;
  for (int n = 0; n < 20'000; ++n) {
    const DType type = random.coin() ? DType::bf16 : DType::fp16;
    const auto kind = static_cast<Kind>(random.between(0, 5));
    const Index ranks = random.between(1, 9);
    float running = 0;
    Bounded sum;
    for (Index rank = 0; rank < ranks; ++rank) {
      const float value = random_value(type, kind, random);
      running = round_to(type, running + value);
      sum = add(sum, value);
    }
    const Bounded wanted = round_to(type, rounded_at_every_step(type, sum));
    const double off = std::abs(running - wanted.value);
    if (!std::isfinite(wanted.error())) continue;
    ASSERT_TRUE(off <= wanted.error()) << name(type) << ", " << ranks << " ranks";
    if (wanted.error() > 0) largest = std::max(largest, off / wanted.error());
  }
  EXPECT_GT(largest, 0.5);
}

TEST(ErrorBounds, ZeroTimesWhatMayBeInfiniteIsNotZero) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isnan(scaled(Bounded(infinity), 0.0f, 1.0f).value));
  EXPECT_FALSE(std::isfinite(scaled(Bounded(1, infinity, 1), 0.0f, 1.0f).error()));
  const Bounded zero = scaled(Bounded(1, 0.5, 1), 0.0f, 1.0f);
  EXPECT_EQ(zero.value, 0);
  EXPECT_LT(zero.error(), 0x1p-140);
}

}  // namespace
}  // namespace lockstep
