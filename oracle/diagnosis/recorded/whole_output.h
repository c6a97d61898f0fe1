// The output of a recording as one tensor over the ranks: which part each holds, and what is wrong in it.
#pragma once

#include "oracle/diagnosis/evidence.h"
#include "oracle/diagnosis/recorded/want.h"
#include "oracle/inputs/shards.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

struct WholeOutput {
  std::string name;  // "output"; of a piece "rank1.output"
  Shape shape;
  std::vector<Block> parts;  // of each rank
  RecordedOutputs outputs;   // of each rank, as recorded

  // Whether an element is what should stand at a place.
  bool is_from(const RecordedWant& want, const Element& e, Index row, Index col) const;
};

WholeOutput whole_output(const RecordedGemm& recorded);
WholeOutput whole_output(const RecordedLayer& recorded);

Evidence evidence_of(const WholeOutput& whole, const RecordedWant& want);

// "rows 0..63, columns 16..31, ranks 0..3"
std::string where(const std::vector<const Element*>& elements);

}  // namespace lockstep
