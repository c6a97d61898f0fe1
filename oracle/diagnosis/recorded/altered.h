// The alterations of a recording (alterations.h) as hypotheses: each that gives a wrong element its value.
#pragma once

#include "oracle/diagnosis/hypothesis.h"
#include "oracle/diagnosis/recorded/want.h"

namespace lockstep {

// As many as can be computed in some seconds, the most plausible first.
Hypotheses by_alteration(const RecordedGemm& recorded, Precision precision, const Evidence& evidence);
// Of a reduction also the rank's own part alone.
Hypotheses by_alteration(const RecordedLayer& recorded, Precision precision, const Evidence& evidence);

}  // namespace lockstep
