// A number known to within a bound: what any correct computation of it may give, whatever the order of its sums.
//
// It is a sum that has not been rounded yet: `terms`, each known to within a part of `radius`, of magnitudes that add
// up to `magnitude`, still to be added in floats in any order. So
//
//   |computed - value| <= error() = radius + gamma(adds) (magnitude + radius)
//
// With the functions of number.h it is one more kind of number for the operations of reference/ops: on floats they
// compute, on symbols they say what reached what, on these they say how far apart two right answers may be. What is
// known to the bit (an input, a code, a scale made from inputs) stays so. The error is infinite where a float might
// overflow on the way, in some order.
#pragma once

#include "reference/contract/recipe.h"

namespace lockstep {

struct Bounded {
  double value = 0;  // exact, but for what double rounds
  double radius = 0;
  double magnitude = 0;
  Index adds = 0;

  Bounded() = default;
  Bounded(float known) : value(known), magnitude(known < 0 ? -double{known} : double{known}) {}
  Bounded(double v, double r, double m) : value(v), radius(r), magnitude(m) {}

  bool is_known() const { return radius == 0 && adds == 0; }
  double error() const;
};

Bounded add(const Bounded& a, const Bounded& b);
Bounded round_to(DType type, const Bounded& a);

// The same sum where each addition may also have been rounded to `type`, as a running sum that travels is: with u the
// type's unit roundoff and n additions, off by at most gamma_u(n) (magnitude + error), gamma_u(n) = n u / (1 - n u),
// and n halves of the smallest subnormal.
Bounded rounded_at_every_step(DType type, const Bounded& sum);

Bounded amax_of(const Bounded& a);
Bounded larger(const Bounded& a, const Bounded& b);

Bounded quantized(DType type, const Bounded& a, const Bounded& scale);
Bounded dequantized(const Bounded& code, const Bounded& scale_inv);
Bounded scaled(const Bounded& sum, const Bounded& scale_a, const Bounded& scale_b);
Bounded folded(const Bounded& sum, const Bounded& block, const Bounded& scale_a, const Bounded& scale_b);

Bounded inverse(const Bounded& scale);
Bounded current_scale(DType type, const Bounded& amax);
Bounded delayed_scale(DType type, const Bounded& amax, Index margin, const Bounded& before);
Bounded block_scale(RecipeKind recipe, DType type, const Bounded& amax);

}  // namespace lockstep
