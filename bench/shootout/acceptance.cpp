#include "bench/shootout/acceptance.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep::shootout {
namespace {

template <typename F>
Index count(Values got, Values want, F is_wrong) {
  CHECK(got.size() == want.size(), "outputs of different sizes compared");
  Index wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += is_wrong(double{got[i]}, double{want[i]});
  return wrong;
}

bool all_equal(Values got, Values want) {
  return count(got, want, [](double g, double w) { return !(g == w); }) == 0;
}

// As torch.argmax: of several the first, and a NaN is larger than any number.
std::size_t place_of_largest_difference(Values got, Values want) {
  std::size_t place = 0;
  double largest = -1;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = std::abs(double{got[i]} - double{want[i]});
    if (std::isnan(difference)) return i;
    if (difference > largest) largest = difference, place = i;
  }
  return place;
}

}  // namespace

// Infinities are close to none but their own.
Index not_close(Values got, Values want, double rtol, double atol) {
  return count(got, want, [=](double g, double w) {
    const double difference = std::abs(g - w);
    return g != w && !(std::isfinite(difference) && difference <= atol + rtol * std::abs(w));
  });
}

double dissimilarity(Values got, Values want) {
  CHECK(got.size() == want.size(), "outputs of different sizes compared");
  double product = 0, squares = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    product += double{got[i]} * double{want[i]};
    squares += double{got[i]} * double{got[i]} + double{want[i]} * double{want[i]};
  }
  return 1 - 2 * product / squares;
}

Acceptance all_close(double rtol, double atol) {
  return {fmt::format("every |got - want| <= {} + {} |want|", atol, rtol),
          [=](Values got, Values want) { return not_close(got, want, rtol, atol) == 0; }};
}

Acceptance near(double tolerance) {
  return {fmt::format("every |got - want| <= {}", tolerance),
          [=](Values got, Values want) { return not_close(got, want, 0, tolerance) == 0; }};
}

Acceptance largest_difference(double rtol, double atol) {
  return {fmt::format("where |got - want| is largest: not (it > {} and it > {} max(|want|, 1e-5))", atol, rtol),
          [=](Values got, Values want) {
            CHECK(got.size() == want.size(), "outputs of different sizes compared");
            if (got.empty()) return true;
            const std::size_t i = place_of_largest_difference(got, want);
            const double absolute = std::abs(double{got[i]} - double{want[i]});
            const double relative = absolute / std::max(std::abs(double{want[i]}), 1e-5);
            return !(relative > rtol && absolute > atol);
          }};
}

Acceptance similar(double limit) {
  return {fmt::format("1 - 2 <got, want> / (<got, got> + <want, want>) < {}", limit),
          [=](Values got, Values want) { return dissimilarity(got, want) < limit; }};
}

Acceptance equal() { return {"every got == want", all_equal}; }

Acceptance equal_and_not_zero() {
  return {"every got == want, and at most half of want is zero", [](Values got, Values want) {
            return all_equal(got, want) && 2 * std::ranges::count(want, 0.0f) <= std::ssize(want);
          }};
}

}  // namespace lockstep::shootout
