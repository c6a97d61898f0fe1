// How others accept a result: got and want are one output, of all ranks, as flat lists.
//
//   all_close                every |got - want| <= atol + rtol |want|     torch.allclose, torch.testing.assert_close
//   near                     every |got - want| <= tolerance              EXPECT_NEAR of GoogleTest
//   largest_difference       only where |got - want| is largest: rejected if |got - want| > atol and
//                            |got - want| / max(|want|, 1e-5) > rtol; so a NaN is accepted
//   similar                  1 - 2 <got, want> / (<got, got> + <want, want>) < limit
//   equal                    every got == want
//   equal_and_not_zero       every got == want, and at most half of want is zero: else the result is not trusted
//
// All in double. NaN: rejected by each but largest_difference.
#pragma once

#include "reference/contract/dtype.h"

#include <functional>
#include <span>
#include <string>

namespace lockstep::shootout {

using Values = std::span<const float>;

struct Acceptance {
  std::string formula;
  std::function<bool(Values got, Values want)> accepts;
};

// How many elements all_close holds to be wrong.
Index not_close(Values got, Values want, double rtol, double atol);
// 1 - 2 <got, want> / (<got, got> + <want, want>).
double dissimilarity(Values got, Values want);

Acceptance all_close(double rtol, double atol);
Acceptance near(double tolerance);
Acceptance largest_difference(double rtol, double atol);
Acceptance similar(double limit);
Acceptance equal();
Acceptance equal_and_not_zero();

}  // namespace lockstep::shootout
