// The picture of a case: judges it, explains it where it fails, and gathers all that a report shows.
#pragma once

#include "oracle/diagnosis/examine.h"
#include "oracle/picture/picture.h"

namespace lockstep {

struct PictureOptions {
  GridLimit grid;
  TimelineLimit timeline;
  bool as_it_ran = false;  // the timeline by the clock, not by the model of costs
};

// Judged, and explained where the whole catalogue can be put into the program within seconds: not where judging takes
// more than 512 MiB.
Examined examine_to_show(const Prepared& prepared, const Program& program);

// What cannot be shown of a case (a plan that is malformed, one that hangs) is left out, and said in `not_shown`.
Picture picture_of(const Case& a_case, const PictureOptions& options = {});
// The same of what has been judged: `program` is the case's, with its fault.
Picture picture_of(const Prepared& prepared, const Program& program, const Examined& examined,
                   const PictureOptions& options);

// The operation with this title ("call 0, rank 1, compute 0: gemm, split 2"); of several the first that does something
// that none of them does in the correct program.
std::optional<Step> operation_titled(const Program& program, const Program& correct, const std::string& title);

}  // namespace lockstep
