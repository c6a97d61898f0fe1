#include "reference/numerics/lanes.h"

#include <bit>
#include <cstring>

namespace lockstep {
namespace {

using Ints [[gnu::vector_size(4 * lanes)]] = std::int32_t;
using Floats [[gnu::vector_size(4 * lanes)]] = float;
using Longs [[gnu::vector_size(8 * lanes)]] = std::int64_t;
using Doubles [[gnu::vector_size(8 * lanes)]] = double;

constexpr int float_bias = 127, float_fraction_bits = 23, double_bias = 1023, double_fraction_bits = 52;
constexpr int smallest_exponent = -400;  // below that of any product or sum that is not zero

template <typename Vector, typename Number>
inline Vector load(const Number* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

inline Ints larger(Ints a, Ints b) { return a > b ? a : b; }
inline Ints truncated(Floats v) { return __builtin_convertvector(v, Ints); }

// As floats; 0 where that is far below the normal ones.
inline Floats power_of_two(Ints exponent) {
  return std::bit_cast<Floats>(larger(exponent + float_bias, Ints{}) << float_fraction_bits);
}

inline Ints exponent_field(Floats v) { return (std::bit_cast<Ints>(v) >> float_fraction_bits) & 0xFF; }

// v = significand * 2^exponent, 1 <= |significand| < 2, where v is a normal float or 0.
struct Parts {
  Ints exponent;
  Floats significand;
};
inline Parts parts_of(Floats v) {
  const Ints fraction = std::bit_cast<Ints>(v) & ~(0xFF << float_fraction_bits);
  const auto significand = std::bit_cast<Floats>(fraction | (float_bias << float_fraction_bits));
  return {v == 0 ? Ints{} + exponent_of_zero : exponent_field(v) - float_bias, v == 0 ? Floats{} : significand};
}

// sum * 2^unit, truncated toward zero to kept_bits below its leading bit: in double that is to clear the bits below.
inline Floats scaled_down(Doubles sum, Ints unit, int kept_bits) {
  const Longs kept = std::bit_cast<Longs>(sum) & (std::int64_t{-1} << (double_fraction_bits - kept_bits));
  const Longs scale = (__builtin_convertvector(unit, Longs) + double_bias) << double_fraction_bits;
  return __builtin_convertvector(std::bit_cast<Doubles>(kept) * std::bit_cast<Doubles>(scale), Floats);
}

struct Step {
  const Term* a;
  const float* significands;      // of b
  const std::int32_t* exponents;  // of b
  Index length;

  Ints exponent(Index i) const { return load<Ints>(exponents + i * lanes) + a[i].exponent; }
  Floats product(Index i) const { return load<Floats>(significands + i * lanes) * a[i].significand; }
};

inline Ints largest_exponent(Ints start, const Step& step) {
  for (Index i = 0; i < step.length; ++i) start = larger(start, step.exponent(i));
  return start;
}

// In units of 2^unit, each product truncated toward zero; `point` is how many fraction bits a product has.
inline Ints sum_of_products(Ints unit, int point, const Step& step) {
  Ints sum{};
  for (Index i = 0; i < step.length; ++i)
    sum += truncated(step.product(i) * power_of_two(step.exponent(i) - unit - point));
  return sum;
}

}  // namespace

Panel panel_of(const Factor& factor, Index first_row, const Range& k) {
  const auto size = static_cast<std::size_t>(k.size() * lanes);
  Panel panel{std::vector<float>(size, 0.0f), std::vector<std::int32_t>(size, exponent_of_zero), factor.fraction_bits};
  for (Index lane = 0; lane < std::min(lanes, factor.rows - first_row); ++lane) {
    const Term* terms = factor.row(first_row + lane).terms;
    for (Index i = k.begin; i < k.end; ++i) {
      const auto at = static_cast<std::size_t>((i - k.begin) * lanes + lane);
      panel.significands[at] = terms[i].significand;
      panel.exponents[at] = terms[i].exponent;
    }
  }
  return panel;
}

bool fits_lanes(const Accumulator& core, const Factor& a, const Factor& b) {
  const int up = std::max(core.fraction_bits - a.fraction_bits - b.fraction_bits, 0);
  const Index largest_a = (Index{2} << a.fraction_bits) - 1, largest_b = (Index{2} << b.fraction_bits) - 1;
  return core.products * (largest_a * largest_b << up) < Index{1} << 31;
}

LaneSums walk_lanes(const Accumulator& core, const FactorRow& a, const Panel& b, const Range& k) {
  const int point = a.fraction_bits + b.fraction_bits;
  Floats c{};
  Ints unsure{};
  for (Index begin = k.begin; begin < k.end; begin += core.products) {
    const Index at = (begin - k.begin) * lanes;
    const Step step{a.terms + begin, b.significands.data() + at, b.exponents.data() + at,
                    std::min(core.products, k.end - begin)};
    const Parts start = parts_of(c);
    const Ints unit = larger(largest_exponent(start.exponent, step), Ints{} + smallest_exponent) - core.fraction_bits;
    const Ints of_c = truncated(start.significand * power_of_two(start.exponent - unit));
    const Doubles sum =
        __builtin_convertvector(sum_of_products(unit, point, step), Doubles) + __builtin_convertvector(of_c, Doubles);
    c = scaled_down(sum, unit, core.kept_bits);
    const Ints field = exponent_field(c);
    unsure |= __builtin_convertvector(sum != 0, Ints) & ((field == 0) | (field == 0xFF));
  }
  LaneSums result;
  for (Index lane = 0; lane < lanes; ++lane) result.sums[lane] = c[lane], result.unsure[lane] = unsure[lane] != 0;
  return result;
}

}  // namespace lockstep
