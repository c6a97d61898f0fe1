// Why a recording disagrees, in words, from the recording alone and on any data: what its wrong values read as, and how
// they lie.
//
//   reads as the sum without rank 2 in 3064 of 3064 elements (rows 0..63, columns 0..47, ranks 0..3)
//   pattern  output: every element of row 17, columns 0..47; rank 1 of 4
//
// Rows and columns are those of the whole tensor over the ranks. The wrong elements are held against other recordings
// (alterations.h), other places (oracle/diagnosis/moved.h), and multiples of what is wanted, as the judge compares: to
// the bit, or to within a bound. A reading explains at least four elements for each thing that it supposes.
#pragma once

#include "oracle/diagnosis/readings.h"
#include "oracle/diagnosis/recorded/want.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

struct RecordedExplanation {
  std::vector<Reading> readings;      // the best two, the second where it explains as much
  std::vector<std::string> patterns;  // how the wrong elements of the output lie
};

RecordedExplanation explain(const RecordedGemm& recorded, Precision precision);
RecordedExplanation explain(const RecordedLayer& recorded, Precision precision);

// Of a dump on which the verdict is that; of one too large to be looked at in all, of the piece with the first
// difference of each output.
RecordedExplanation explain_recorded(const Safetensors& file, const RecordedVerdict& verdict);

}  // namespace lockstep
