// What the calls of a case must give: by the reference, in the arithmetic that is declared for them; and what must
// reach every element, by the same reference on symbols.
//
// Under the names of the plan's buffers: y; dx, dw, db; and with the last call what is kept (main_grad, scale.x, ..).
// Each group of a world is asked by itself: the reference knows one group.
#pragma once

#include "oracle/inputs/inputs.h"
#include "reference/contract/symbol.h"
#include "reference/ops/sequential.h"

namespace lockstep {

// Exact data is summed without rounding, so that no order of summation is believed; other data in the case's
// arithmetic. The order of a reduction is that of the method that the case names, whatever the plan does:
//
//   pipeline, bulk   by_rank       ring_exchange   own_first       accumulate   travelling
LayerDeclaration declared(const Call& call);

// How the products of a call are summed.
Accumulator accumulator_of(const Call& call);

using SymbolsOfRanks = std::map<std::string, RanksOf<Symbol>, std::less<>>;

using BoundsOfRanks = std::map<std::string, RanksOf<Bounded>, std::less<>>;

std::vector<NamedTensors> expected(const Case& a_case, const std::vector<NamedTensors>& inputs);
// What any correct arithmetic of the case may give, whatever the order of its sums within a rank, and over the ranks
// but for a travelling sum's.
std::vector<BoundsOfRanks> expected_bounds(const Case& a_case, const std::vector<NamedTensors>& inputs);
std::vector<SymbolsOfRanks> expected_provenance(const Case& a_case);

// The type in which the caller gets a tensor of this name.
DType type_of(const Call& call, std::string_view name);

}  // namespace lockstep
