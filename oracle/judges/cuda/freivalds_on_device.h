// Freivalds' check on the device: whether  C = sum over t of scale_t A_t B_t^T + sum of addends  on exact data, each
// matrix read once where it lies, and which rows and columns of C are wrong.
//
//   A_t [M, K_t], B_t [N, K_t], C [M, N]      of any storage type but e8m0, each read as it lies or transposed
//   addend [M, N], or [1, N]: a bias          to every row
//
// The check, the words and the probability of a miss, 2^-60 for a row, are those of
// oracle/judges/freivalds/freivalds.h; the quanta are given, not found, and that of C is the finest of what is added
// up. On the way it is proved that every value is a whole number of its quanta, and from the largest ones met that the
// sums stay below 2^59 quanta. Inputs that are not so are refused. A value of C that is no whole number of quanta below
// 2^60, a NaN, an infinity or a -0 is wrong.
//
// The columns are looked for only where a row is wrong: by the same check of the transposed claim.
#pragma once

#include "oracle/judges/cuda/matrix_on_device.h"
#include "oracle/judges/cuda/scratch.h"

#include <vector>

namespace lockstep {

struct DeviceTerm {
  WholeOnDevice a, b;
  float scale = 1;  // of the product
};

struct DeviceClaim {
  std::string name;  // of C
  MatrixOnDevice c;
  std::vector<DeviceTerm> terms;
  std::vector<WholeOnDevice> addends = {};
};

struct DeviceFreivaldsOptions {
  std::uint64_t seed = 0;
  Index most = 16;                // wrong rows and columns that are named
  cudaStream_t stream = nullptr;  // where C was written, or after it
};

struct DeviceFindings {
  Index wrong_rows = 0, wrong_cols = 0;
  std::vector<Index> rows, cols;  // the first of them
  Index misfits = 0;              // values of C that no sum can be

  bool agrees() const { return wrong_rows == 0; }
  bool operator==(const DeviceFindings&) const = default;
};

// Waits for the verdict. Scratch that is kept from call to call saves the allocations.
DeviceFindings freivalds_on_device(const DeviceClaim& claim, const DeviceFreivaldsOptions& options, Scratch& scratch);
DeviceFindings freivalds_on_device(const DeviceClaim& claim, const DeviceFreivaldsOptions& options);

}  // namespace lockstep
