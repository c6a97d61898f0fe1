// When the operations of a program happen.
//
// Planned: as follows from the plan alone. An operation starts as soon as its edges and its wait allow, each on its own
// lane, and lasts as long as a model says that is no measurement:
//
//   Gemm 1 unit and one for every 4096 multiply-adds; others 1 and one for every 512 elements read; Begin, End, Signal
//   and Wait none, so that a Wait lasts from when its lane comes to it until its signal is there
//
// Ran: as a clock saw it, the host's or the device's own, in microseconds since the first operation began. An operation
// that an executor does in parts lasts from its first part to the end of its last.
#pragma once

#include "oracle/hazards/order.h"
#include "oracle/judges/prepared.h"

namespace lockstep {

struct Span {
  double start = 0, end = 0;
  bool happened = false;
};

struct Times {
  std::vector<Span> spans;  // of each node of graph_of(program)
  std::string_view unit;    // "units", "microseconds"
};

Times planned_times(const Program& program, const Order& order);

struct Ran {
  Observed observed;
  Times times;
};

// The case's executor and device. On the host a wait is seen at its end alone: it lasts from the end of what came
// before it on its lane.
Ran ran(const Prepared& prepared, const Program& program);

}  // namespace lockstep
