// A program as lanes of operations over time, with what is to be pointed at.
//
// Of many ranks some are shown: first those that something is marked on, or that have wrong outputs, then from 0 on, as
// long as there is room.
#pragma once

#include "oracle/report/times.h"

#include <set>

namespace lockstep {

enum class BarMark { none, guilty, hazard, blocked };

struct Bar {
  Index lane = 0;  // into Timeline::lanes
  double start = 0, end = 0;
  Step step;
  Index rank = 0, split = -1;
  std::string kind;     // "gemm"
  std::string details;  // for who points at it
  BarMark mark = BarMark::none;
  bool ends = true;  // false: it waits for ever
};

struct Lane {
  Index rank = 0;
  std::string name;
  bool is_first_of_rank = false;
};

struct Arrow {
  std::size_t from = 0, to = 0;  // into Timeline::bars
};

struct Timeline {
  double length = 0;
  std::string unit;
  std::vector<Lane> lanes;
  std::vector<Bar> bars;
  std::vector<Arrow> signals;   // from a signal to the wait that it ends
  std::optional<Arrow> hazard;  // between two operations that nothing orders
  Index ranks = 0, ranks_shown = 0, operations = 0, operations_shown = 0, never_start = 0;
};

struct Marks {
  std::optional<Step> guilty{};
  std::vector<Step> hazard{};
  std::set<Index> ranks{};  // to be shown if there is room
};

struct TimelineLimit {
  Index ranks = 10, operations = 1500;
};

Timeline timeline_of(const Program& program, const Order& order, const Times& times, const Marks& marks,
                     const TimelineLimit& limit = {});

}  // namespace lockstep
