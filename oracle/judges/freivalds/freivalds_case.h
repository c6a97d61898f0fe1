// Freivalds' check of the outputs of a case on exact data, straight from the inputs of the ranks: no reference computes
// them, no order of summation is believed. What is checked is said in layer_claims.h.
//
// y, dx, dw and db of every call and main_grad of the last are judged; scale.* and history.* are no products and are
// left out.
//
// FP8 recipes too: on exact data what a scale adds is undone by its inverse, or rounded off (oracle/inputs/budget.h).
//
// A row of a whole matrix with one wrong element is always found, with several it is missed with probability 2^-61. Of
// a matrix with more candidates for a wrong element than the budget of freivalds.h those beyond are not counted.
#pragma once

#include "oracle/inputs/inputs.h"
#include "oracle/judges/comparison.h"
#include "oracle/judges/freivalds/freivalds.h"

namespace lockstep {

// Of each call: its inputs (make_inputs) and its outputs. Refuses data that is not exact, and a tensor that is missing
// or has not the shape that the case says.
Comparison compare_by_freivalds(const Case& a_case, const std::vector<NamedTensors>& inputs,
                                const std::vector<NamedTensors>& outputs, const FreivaldsOptions& options = {});

}  // namespace lockstep
