#include "oracle/campaign/cells.h"

#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

constexpr Kernel kernels[] = {Kernel::gemm_rs, Kernel::ag_gemm, Kernel::gemm_ar, Kernel::row_linear,
                              Kernel::column_linear};
constexpr Method methods[] = {Method::pipeline, Method::ring_exchange, Method::accumulate, Method::bulk};
constexpr RecipeKind recipes[] = {RecipeKind::none, RecipeKind::delayed, RecipeKind::current, RecipeKind::block128,
                                  RecipeKind::mxfp8};

// Keys that nothing reads have one value only.
bool is_canonical(const Cell& cell) {
  const Call used = with_cell({}, cell);
  Call defaults = used;
  defaults.method = defaults.dgrad = Method::by_default;
  defaults = resolved(defaults);
  return (used.is_forward() || used.method == defaults.method) &&
         (used.is_backward() || (used.dgrad == defaults.dgrad && !used.frozen));
}

bool is_allowed(const Cell& cell) try {
  validate({{with_cell({}, cell)}});
  return is_canonical(cell);
} catch (const Refusal&) {
  return false;
}

template <typename F>
void for_each_choice(const F& f) {
  for (Kernel op : kernels)
    for (Pass pass : {Pass::forward, Pass::backward, Pass::both})
      for (Method method : methods)
        for (Method dgrad : methods)
          for (bool aggregate : {false, true})
            for (RecipeKind recipe : recipes)
              for (BiasPlacement bias : {BiasPlacement::none, BiasPlacement::per_rank, BiasPlacement::after})
                for (bool frozen : {false, true}) f(Cell{op, pass, method, dgrad, aggregate, recipe, bias, frozen});
}

}  // namespace

const std::vector<Cell>& all_cells() {
  static const std::vector<Cell> all = [] {
    std::vector<Cell> cells;
    for_each_choice([&](const Cell& cell) {
      if (is_allowed(cell)) cells.push_back(cell);
    });
    return cells;
  }();
  return all;
}

Cell cell_of(const Call& call) {
  const Call known = resolved(call);
  return {known.op,        known.pass,        known.method, known.dgrad,
          known.aggregate, known.recipe.kind, known.bias,   known.frozen};
}

Call with_cell(Call call, const Cell& cell) {
  call.op = cell.op, call.pass = cell.pass, call.method = cell.method, call.dgrad = cell.dgrad;
  call.aggregate = cell.aggregate, call.recipe.kind = cell.recipe, call.bias = cell.bias, call.frozen = cell.frozen;
  return call;
}

std::string print(const Cell& cell) {
  const Call call = with_cell({}, cell);
  std::string text;
  for (std::string_view key : {"op", "pass", "method", "dgrad", "aggregate", "recipe", "bias", "frozen"})
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, key_named(key).get(call));
  return text;
}

}  // namespace lockstep
