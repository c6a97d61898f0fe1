// Everything that can be asked of a layer, apart from sizes, types and data: the cells that a campaign has to fill.
//
//   op, pass, method of each pass, aggregate, recipe, bias, frozen
#pragma once

#include "reference/contract/case.h"

#include <optional>

namespace lockstep {

struct Cell {
  Kernel op = Kernel::gemm_rs;
  Pass pass = Pass::forward;
  Method method = Method::by_default, dgrad = Method::by_default;
  bool aggregate = false;
  RecipeKind recipe = RecipeKind::none;
  BiasPlacement bias = BiasPlacement::none;
  bool frozen = false;
  auto operator<=>(const Cell&) const = default;
};

// All that the rules of the case line allow (case_rules.cpp), each once: a key that a cell does not use has its
// default.
const std::vector<Cell>& all_cells();

// Those of all cells that a predicate holds for.
template <typename F>
std::vector<Cell> cells_where(const F& holds) {
  std::vector<Cell> some;
  for (const Cell& cell : all_cells())
    if (holds(cell)) some.push_back(cell);
  return some;
}

Cell cell_of(const Call& call);
// The call with the keys of the cell.
Call with_cell(Call call, const Cell& cell);
std::string print(const Cell& cell);

}  // namespace lockstep
