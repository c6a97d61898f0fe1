// How large planted data may be so that every sum is exact: what each contraction of a layer may add up to, and how
// that is spent on biases, multipliers, groups and sizes.
//
//   forward   contracts `in`      over x and w      into y
//   dgrad     contracts `out`     over dy and w     into dx
//   wgrad     contracts `tokens`  over dy and x     into dw
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/partition.h"

namespace lockstep {

// A whole number of units; 0: the contraction does not happen.
struct Shares {
  Index forward = 0, dgrad = 0, wgrad = 0;  // |product| of one rank, at the most
  Range bias{};                             // of one rank: under tensor scales at least twice its product
  Range main_grad{};                        // |main gradient| at the start: so too of all that is added
};

Shares shares_of(const Case& a_case);

struct Multipliers {
  Index x = 1, w = 1, dy = 1;
};

// Whether an amax of 7 times a power of two is asked for, so that scales made from it are exact: 448 and 57344 are.
// Where a product is rounded to 16 bits or less before it meets another rank's, any power of two will do: what an
// inexact scale adds is rounded off, and neither a bias nor a main gradient can cancel what it is a part of.
bool needs_sevens(const Call& call);

// Whether there is room for that in every contraction: not where one result is f32 and another goes over a narrow wire.
bool has_room(const Case& a_case);

// The largest factor of X, W and dY, before multipliers: at most 7.
Index largest_factor(const Call& call, const Shares& shares, const Multipliers& m);

// The multipliers that fit, drawn by the case's seed: 3, 5, 9 and 11 survive 448 / amax and 1 / scale.
Multipliers multipliers_of(const Case& a_case, const Shares& shares);

}  // namespace lockstep
