// The tensors of a rule's case: drawn, and the scales that an FP8 recipe starts from.
#pragma once

#include "bench/shootout/rule.h"

namespace lockstep::shootout {

// x, w, b, dy as the pass needs them. Each rank's tensor of each name is drawn from a stream of its own.
NamedTensors draw_inputs(const Rule& rule, const Call& call, std::uint64_t seed);

// scale.x, history.x, .. of recipe=delayed: histories of zeros, scales by rule.scale. `y` is what an FP8 wire carries.
void add_scales(NamedTensors& inputs, const Rule& rule, const Call& call, const std::vector<float>& y);

}  // namespace lockstep::shootout
