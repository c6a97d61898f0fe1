// Products of a matrix of whole numbers with a vector modulo p = 2^61 - 1, on the device, in one reading of the matrix.
// All that is returned lies in its memory; nothing here waits for it.
#pragma once

#include "oracle/judges/cuda/device_matrix.h"
#include "oracle/judges/cuda/scratch.h"
#include "oracle/judges/freivalds/mersenne61.h"

namespace lockstep {

// What was met in a matrix. All zero before.
struct Tally {
  unsigned long long misfits = 0;         // values that are no whole number of quanta below 2^60
  unsigned long long first_from_end = 0;  // ~ of the first one's place, row by row as it is stored
  unsigned long long largest = 0;         // |number|, the bits of a double

  Index first() const { return static_cast<Index>(~first_from_end); }
};

struct DeviceVector {
  Mersenne61* data = nullptr;
  Index size = 0;
};

// x[j] = random_unit(seed, stream, j), limb_sums.h
void fill_random(DeviceVector x, std::uint64_t seed, std::uint64_t stream, cudaStream_t on);

// One product, and where it goes to.
struct Product {
  const DeviceWhole& m;
  DeviceVector x;
  bool is_output = false;          // then a -0 does not fit
  Tally* tally = nullptr;          // what is met is added to it
  unsigned char* marks = nullptr;  // 1 for each row of M, as it is read, with a misfit; null: not wanted
};

// y[i] = before[i] + factor (M x)[i]; without `before` from 0. What does not fit counts as 0. A matrix of one column
// takes the sum of x, one of one row gives to all of y.
void add_product(const Product& product, Mersenne61 factor, const Mersenne61* before, DeviceVector y, Scratch& scratch,
                 cudaStream_t on);

// marks[i] = 1 where y[i] is not 0, and counts all that are marked.
void mark_nonzero(DeviceVector y, unsigned char* marks, Tally* tally, cudaStream_t on);

}  // namespace lockstep
