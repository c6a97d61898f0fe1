// A schedule as data: what one call does on every rank, as operations over named buffers.
//
// Order. An operation runs on a lane of its rank; the operations of a lane run in the order of the plan; `after` names
// further operations of the same rank that end before it starts. It reads and writes at any time between its start and
// its end. Begin is when the call's inputs may be read, End when its outputs are handed over; every join is an edge.
//
// Signals. A counter is written by one lane only and only grows. Wait(counter, v) starts after the signal whose running
// total within this call reaches v; v = 0 stands for all signals of all calls before this one.
#pragma once

#include "fused/plan/region.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

struct Begin {
  bool operator==(const Begin&) const = default;
};
struct End {
  bool operator==(const End&) const = default;
};

// D = A B^T + bias: A [m, k], B [n, k], bias [1, n], D [m, n]. Float, k in order, the bias added last, one rounding to
// D's type. With k = 0 the product is 0, and D is written all the same.
struct Gemm {
  Region a, b;
  std::optional<Region> bias;
  Region d;
  bool operator==(const Gemm&) const = default;
};

// D = sum of the sources in the order listed, in float, one rounding to D's type.
struct Reduce {
  std::vector<Region> sources;
  Region d;
  bool operator==(const Reduce&) const = default;
};

struct Signal {
  Index counter = 0;
  Index add = 1;
  bool operator==(const Signal&) const = default;
};
struct Wait {
  Index counter = 0;
  Index value = 0;
  bool operator==(const Wait&) const = default;
};

struct PlanOp {
  std::variant<Begin, End, Gemm, Reduce, Signal, Wait> body{};
  Index rank = 0;
  Index lane = 0;
  Index split = -1;            // the chunk it works for, -1: none
  std::vector<Index> after{};  // indices into Plan::ops
  bool operator==(const PlanOp&) const = default;
};

struct Counter {
  std::string name;  // "ready", "done": with the rank, its identity on the Userbuffers
  Index rank = 0;    // whose lane writes it
  bool operator==(const Counter&) const = default;
};

struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Counter> counters;
  std::vector<std::string> lanes;  // names; lane i of every rank
  Index ranks = 0;
  std::vector<PlanOp> ops;
  bool operator==(const Plan&) const = default;
};

// All calls on one set of Userbuffers. On each rank the End of a call precedes the Begin of the next; nothing else
// orders calls.
struct Program {
  std::vector<Plan> calls;
};

}  // namespace lockstep
