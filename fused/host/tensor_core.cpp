#include "fused/host/tensor_core.h"

#include <algorithm>
#include <cmath>

namespace lockstep::host {
namespace {

constexpr Index promotion = 128;
constexpr int no_exponent = -100'000;

struct Core {
  Index products;
  int cut, kept;
};

Core core_for(DType type) { return bytes_of(type) == 1 ? Core{32, 13, 13} : Core{16, 25, 23}; }

int exponent_of(double value, int smallest) {
  return value == 0 || !std::isfinite(value) ? no_exponent : std::max(std::ilogb(value), smallest);
}

std::vector<int> exponents_of(const CoreOperand& operand) {
  std::vector<int> exponents;
  for (float value : operand.values.values) exponents.push_back(exponent_of(value, 1 - format(operand.type).bias));
  return exponents;
}

// value * 2^-unit, without its fraction.
std::int64_t in_units(double value, int unit) { return static_cast<std::int64_t>(std::ldexp(value, -unit)); }

float cut_to(double sum, int kept) {
  if (sum == 0) return 0;
  const int unit = std::max(std::ilogb(sum), -126) - kept;
  return static_cast<float>(std::ldexp(std::trunc(std::ldexp(sum, -unit)), unit));
}

struct Walk {
  const CoreOperand &a, &b;
  std::vector<int> exponents_a, exponents_b;
  Core core;

  double product(Index i, Index k, Index j) const { return double{a.values(i, k)} * double{b.values(k, j)}; }
  int exponent(Index i, Index k, Index j) const {
    return exponents_a[static_cast<std::size_t>(i * a.values.cols + k)] +
           exponents_b[static_cast<std::size_t>(k * b.values.cols + j)];
  }

  float step(float c, Index i, Index j, const Range& ks) const {
    double plain = c;
    int largest = exponent_of(c, -126);
    for (Index k = ks.begin; k < ks.end; ++k) {
      plain += product(i, k, j);
      largest = std::max(largest, exponent(i, k, j));
    }
    if (!std::isfinite(plain)) return static_cast<float>(plain);
    if (largest < no_exponent / 2) return 0;
    const int unit = largest - core.cut;
    const double scale = std::ldexp(1.0, -unit);
    std::int64_t sum = in_units(c, unit);
    for (Index k = ks.begin; k < ks.end; ++k) sum += static_cast<std::int64_t>(product(i, k, j) * scale);
    return cut_to(std::ldexp(static_cast<double>(sum), unit), core.kept);
  }

  float operator()(Index i, Index j, const Range& ks) const {
    float c = 0;
    for (Index k = ks.begin; k < ks.end; k += core.products)
      c = step(c, i, j, {k, std::min(k + core.products, ks.end)});
    return c;
  }
};

}  // namespace

Matrix tensor_core_product(const CoreOperand& a, const CoreOperand& b, const Range& k, bool promote) {
  const Walk walk{a, b, exponents_of(a), exponents_of(b), core_for(a.type)};
  const Index run = promote && bytes_of(a.type) == 1 ? promotion : std::max<Index>(k.size(), 1);
  Matrix d(a.values.rows, b.values.cols);
  for (Index i = 0; i < d.rows; ++i)
    for (Index j = 0; j < d.cols; ++j)
      for (Index begin = k.begin; begin < k.end; begin += run)
        d(i, j) += walk(i, j, {begin, std::min(begin + run, k.end)});
  return d;
}

}  // namespace lockstep::host
