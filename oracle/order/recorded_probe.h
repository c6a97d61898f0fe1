// A recorded run of the probe by somebody else's kernel: a safetensors file with
//
//   input, weight                         [n, K]   a probe (probe.h); F32, BF16, F16, F8_E4M3, F8_E5M2
//   output                                [n, n]   F32, BF16, F16: it must hold every count
//   input_scale_inv, weight_scale_inv     [1]      F32, optional: 1
//
// and metadata: op=gemm or none; split_k and fast_accumulate where the kernel declares them. Whatever contradicts this
// is a Refusal that names the file; so are more than 4096 rows.
#pragma once

#include "oracle/order/models.h"

namespace lockstep {

struct RecordedProbe {
  std::optional<Probe> probe;  // none: the operands are no probe's
  TreeReading reading{};
  std::optional<Index> split_k{};         // as declared
  std::optional<bool> fast_accumulate{};  // as declared, of operands of 8 bits
};

RecordedProbe read_recorded_probe(const std::string& path);

// A probe to be run, with the metadata that goes with it.
void write_probe(const std::string& path, const Probe& probe);

// Whether one of the models that fit is what the file declares; true where it declares nothing.
bool declaration_fits(const RecordedProbe& recorded, const std::vector<Fit>& fits);

}  // namespace lockstep
