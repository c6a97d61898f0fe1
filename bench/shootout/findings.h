// What the rules were found to miss, each as a statement that is measured anew.
#pragma once

#include "bench/shootout/table.h"

namespace lockstep::shootout {

struct Finding {
  std::string statement;
  std::string measured;
  bool reproduced = false;
  double seconds = 0;
};

// With --quick without those that take more than a few seconds.
std::vector<Finding> find(const Options& options);

}  // namespace lockstep::shootout
