// Every cell of what can be asked of a layer is filled: cases of it agree bitwise on exact data and on normal data in
// the declared order, and by provenance: 200 of each, half of them exact. L1 takes ten times as many.
#include "oracle/campaign/campaign.h"
#include "oracle/campaign/parallel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

namespace lockstep {
namespace {

struct Filled {
  Index exact = 0, declared = 0, empty = 0;
  std::vector<std::string> failures;
};

// Cases of the cell until each data has `wanted` that agree; gives up where they do not come.
Filled fill(const Cell& cell, std::uint64_t seed, Index wanted) {
  Filled filled;
  Fixed fixed;
  fixed.cell = cell;
  for (Index number = 0; number < 8 * wanted + 64; ++number) {
    if (filled.exact >= wanted && filled.declared >= wanted) break;
    fixed.data = filled.exact < wanted && number % 2 == 0 ? Data::planted : Data::normal;
    const Case a_case = draw_case(seed, number, 0, fixed);
    const Verdict verdict = judge(a_case);
    if (verdict.failed()) filled.failures.push_back(print(a_case) + ": " + verdict.finding);
    if (verdict.outcome == Outcome::empty) ++filled.empty;
    if (verdict.outcome == Outcome::agree) ++(verdict.judge == "exact" ? filled.exact : filled.declared);
  }
  return filled;
}

// One row for each op, pass, method, aggregate, bias and frozen; one column for each recipe.
void print_table(const std::vector<Filled>& filled) {
  std::map<std::string, std::map<RecipeKind, std::string>> rows;
  const auto& cells = all_cells();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Cell plain = cells[i];
    plain.recipe = RecipeKind::none;
    rows[print(plain)][cells[i].recipe] = fmt::format("{}+{}", filled[i].exact, filled[i].declared);
  }
  fmt::print("cases that agree, exact + declared, of each recipe: none, delayed, current, block128, mxfp8\n");
  for (const auto& [row, columns] : rows) {
    fmt::print("{:<110}", row);
    for (const auto& [recipe, count] : columns) fmt::print(" {:>9}", count);
    fmt::print("\n");
  }
}

void expect_all_filled(Index wanted) {
  const auto& cells = all_cells();
  std::vector<Filled> filled(cells.size());
  parallel_for(std::ssize(cells), std::max(1u, std::thread::hardware_concurrency()), [&](Index i) {
    filled[static_cast<std::size_t>(i)] =
        fill(cells[static_cast<std::size_t>(i)], static_cast<std::uint64_t>(i), wanted);
  });
  print_table(filled);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_GE(filled[i].exact, wanted) << print(cells[i]);
    EXPECT_GE(filled[i].declared, wanted) << print(cells[i]);
    for (const std::string& failure : filled[i].failures) ADD_FAILURE() << failure;
  }
}

TEST(Cells, AreAllFilled) { expect_all_filled(100); }
TEST(Cells, NightlyAreAllFilledFurther) { expect_all_filled(1000); }

// What there is to fill, by hand: nothing that section 3 of the Userbuffers' configuration allows is left out.
TEST(Cells, AreAllThatTheConfigurationAllows) {
  std::map<std::pair<Kernel, Pass>, Index> counts;
  for (const Cell& cell : all_cells()) ++counts[{cell.op, cell.pass}];
  constexpr Index recipes = 5, biases = 2, biases_of_row = 3;
  const Index row_forward = 3 * biases_of_row * recipes;       // pipeline, ring_exchange, accumulate
  const Index row_backward = 2 * 2 * biases_of_row * recipes;  // aggregate, frozen
  const Index column_forward = 2 * biases * recipes;           // aggregate
  const Index column_backward = (1 + 3) * biases * recipes;    // bulk; frozen: three methods
  EXPECT_EQ((counts[{Kernel::row_linear, Pass::forward}]), row_forward);
  EXPECT_EQ((counts[{Kernel::row_linear, Pass::backward}]), row_backward);
  EXPECT_EQ((counts[{Kernel::row_linear, Pass::both}]), 3 * row_backward);
  EXPECT_EQ((counts[{Kernel::column_linear, Pass::forward}]), column_forward);
  EXPECT_EQ((counts[{Kernel::column_linear, Pass::backward}]), column_backward);
  EXPECT_EQ((counts[{Kernel::column_linear, Pass::both}]), 2 * column_backward);
  EXPECT_EQ((counts[{Kernel::gemm_rs, Pass::forward}]), 3 * biases * recipes);
  EXPECT_EQ((counts[{Kernel::ag_gemm, Pass::forward}]), 2 * biases * recipes);
  EXPECT_EQ((counts[{Kernel::gemm_ar, Pass::forward}]), biases * recipes);
}

}  // namespace
}  // namespace lockstep
