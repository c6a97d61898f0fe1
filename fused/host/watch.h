// Who is told when an operation begins and when it ends, from the thread that executes it.
#pragma once

#include "fused/host/walk.h"

namespace lockstep {

using Watch = std::function<void(const Step&, bool begins)>;

// `named` says which operation the watch is told of.
inline Effect watched(Effect effect, Watch watch, std::function<Step(const Step&)> named) {
  if (!watch) return effect;
  return [effect = std::move(effect), watch = std::move(watch), named = std::move(named)](const Step& step) {
    watch(named(step), true);
    effect(step);
    watch(named(step), false);
  };
}

}  // namespace lockstep
