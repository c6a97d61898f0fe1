// Powers of two that give the blocks of a block-scaled recipe scales of their own and leave every sum exact. With
// exponents h of the tokens, f of the input and g of the output features:
//
//   X[i, k]   2^(h(i) + f(k))      Y[i, j], b[j]             2^(h(i) + g(j))
//   W[j, k]   2^(g(j) - f(k))      dX[i, k]                  2^(-h(i) - f(k))
//   dY[i, j]  2^(-h(i) - g(j))     dW[j, k], main gradient   2^(f(k) - g(j))      db[j]   2^-g(j)
//
// Whatever is contracted cancels: all terms of an element are whole numbers of one power of two, its own, and add up
// as the whole numbers do. A bias is the same in every row and its gradient a sum over them, so h = 0 where there is
// one.
//
// f and g lie in 0 .. 4 and h in -4 .. 0, so that all of the above lie in 2^-4 .. 2^4: what is at most 2^11, as sums in
// fp16 are, stays a value of fp16, and a block's values stay codes of E4M3 whichever of its sides is scaled.
// Neighbouring blocks, and neighbours in a block, differ.
//
// All are 0 under recipes without block scales.
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/tensor.h"

namespace lockstep {

inline constexpr int largest_planted_exponent = 4;

struct Exponents {
  std::vector<int> tokens, in, out;  // h, f, g
};

// f and g by the layer's seed: a main gradient has them in common over the calls.
Exponents planted_exponents(const Call& call, std::uint64_t layer_seed, std::uint64_t call_seed);

std::vector<int> negated(std::vector<int> exponents);

// m[i, j] 2^(rows[i] + cols[j])
Matrix raised(Matrix m, const std::vector<int>& rows, const std::vector<int>& cols);

}  // namespace lockstep
