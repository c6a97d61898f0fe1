// How a layer's GEMMs overlap with their communication: what a user configures, whatever the layer computes. The
// methods differ in what they declare of their arithmetic (declared() in oracle/judges), and in nothing else that a
// user sees.
#pragma once

#include "reference/contract/dtype.h"

namespace lockstep {

enum class Pass { forward, backward, both };

// by_default is gone once a case is parsed: the method that the operation's Userbuffers have by default.
enum class Method { by_default, pipeline, ring_exchange, accumulate, bulk };

struct Overlap {
  Method forward = Method::by_default;
  Method dgrad = Method::by_default;  // of the gradient of the input
  Index splits = 1;                   // of a pipeline
  bool aggregate = false;             // a ring all-gather moves two chunks at a time
  bool first_gemm = false;            // a pipeline launches a GEMM before the reduction of the split before it
  bool operator==(const Overlap&) const = default;
};

}  // namespace lockstep
