// A program as a timeline in Chrome's trace format, for chrome://tracing, ui.perfetto.dev or Speedscope: a process for
// each rank, a thread for each lane, an arrow from a signal to each wait that it ends.
//
// When an operation happens follows from the plan alone: it starts as soon as its edges and waits allow, each on its
// own lane, and lasts as long as a model says that is no measurement:
//
//   Gemm 1 unit and one for every 4096 multiply-adds; others 1 and one for every 512 elements read; Begin, End, Signal
//   and Wait none
#pragma once

#include "fused/plan/plan.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

nlohmann::json trace_of(const Program& program);

}  // namespace lockstep
