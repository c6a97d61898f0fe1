// Who is told when an operation begins and when it ends, in microseconds of a clock that is the executor's own: on the
// host as it happens, from the thread that executes it.
#pragma once

#include "fused/host/walk.h"

#include <chrono>

namespace lockstep {

using Watch = std::function<void(const Step&, bool begins, double microseconds)>;

inline double host_microseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// `named` says which operation the watch is told of.
inline Effect watched(Effect effect, Watch watch, std::function<Step(const Step&)> named) {
  if (!watch) return effect;
  return [effect = std::move(effect), watch = std::move(watch), named = std::move(named)](const Step& step) {
    watch(named(step), true, host_microseconds());
    effect(step);
    watch(named(step), false, host_microseconds());
  };
}

}  // namespace lockstep
