// Products of a matrix of whole numbers with a vector modulo p = 2^61 - 1, on the device, in one reading of the matrix.
// Nothing here waits for it.
#pragma once

#include "oracle/judges/cuda/matrix_on_device.h"
#include "oracle/judges/cuda/residue_vectors.h"
#include "oracle/judges/cuda/scratch.h"

namespace lockstep {

// What was met in a matrix. All zero before.
struct Tally {
  unsigned long long misfits = 0;         // values that are no whole number of quanta below 2^60
  unsigned long long first_from_end = 0;  // ~ of the first one's place, row by row as it is stored
  unsigned long long largest = 0;         // |number|, the bits of a double

  Index first() const { return static_cast<Index>(~first_from_end); }
};

// One product, and where it is reported what was met.
struct VectorProduct {
  const WholeOnDevice& m;
  DeviceVector x;
  Tally* tally = nullptr;          // what is met is added to it
  bool is_output = false;          // then a -0 does not fit
  unsigned char* marks = nullptr;  // 1 for each row of M, as it is read, with a misfit; null: not wanted
};

// factor M x, as a share of a vector. What does not fit counts as 0. A matrix of one column takes the sum of x, one of
// one row is a share of each element.
Share share_of(const VectorProduct& product, Mersenne61 factor, Scratch& scratch, cudaStream_t on);

}  // namespace lockstep
