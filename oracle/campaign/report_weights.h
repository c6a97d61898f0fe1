// How much a class of faults weighs: how often it was the first cause among 242 public reports of faults of overlapped
// kernels.
//
//    1 chunk offset, pointer or index           9    10 layout, stride, dimension              11
//    2 remainder, tile tail                    19    11 hang                                   16
//    3 rank or chunk mapping                    7    12 NaN, -0, subnormal, zero size          11
//    4 missing or repeated contribution        11    13 configuration, validation, dispatch    26
//    5 scale, amax, FP8 format                 13    14 backward                               10
//    6 synchronisation, stale data, epoch      39    15 graphs and streams                     12
//    7 buffer reuse, aliasing, capacity        26    16 determinism                             3
//    8 integer overflow                         9    17 defect of the test itself               7
//    9 reduction or accumulation type           8
#pragma once

#include "oracle/campaign/score.h"

#include <span>

namespace lockstep {

inline constexpr Index report_classes = 17;

// Of class 1 to 17.
Index reports_of(Index report_class);

struct ClassedKill {
  Index report_class = 0;
  bool is_killed = false;
};

// Each fault once: killed where it survives no judge that can see it.
std::vector<ClassedKill> by_fault(const std::vector<Kill>& kills);

// The mean over the classes that have a fault of what is killed of each, weighted by their reports; 0 of nothing.
double weighted_score(std::span<const ClassedKill> kills);

}  // namespace lockstep
