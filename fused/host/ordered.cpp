#include "fused/host/ordered.h"

namespace lockstep {

Walked ordered(const Program& program, const Pick& pick, std::vector<Step>& order) {
  Walked walked = walk(program, pick, [&](const Step& step) { order.push_back(step); });
  for (const Blocked& blocked : walked.blocked) order.push_back(blocked.step);
  return walked;
}

}  // namespace lockstep
