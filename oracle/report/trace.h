// A program as a timeline in Chrome's trace format, for chrome://tracing, ui.perfetto.dev or Speedscope: a process for
// each rank, a thread for each lane, an arrow from a signal to each wait that it ends. When an operation happens:
// oracle/report/times.h; what does not happen is not shown.
#pragma once

#include "oracle/report/times.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

nlohmann::json trace_of(const Program& program, const Order& order, const Times& times);
// As it is planned.
nlohmann::json trace_of(const Program& program);

}  // namespace lockstep
