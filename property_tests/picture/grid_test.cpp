#include "oracle/picture/grid.h"

#include "oracle/campaign/draw.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/same_value.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>
#include <tuple>

namespace lockstep {
namespace {

constexpr GridLimit unlimited{1 << 20, 1 << 20};

Case drawn_case() {
  Case a_case = draw_case(11, *rc::gen::inRange<Index>(0, 400), 0, {.executor = Executor{}});
  for (Call& call : a_case.calls) call.sample = 0, call.executor = {};
  return a_case;
}

// What the correct program of a case gives, with some codes changed.
Outputs some_wrong(const Case& a_case) {
  Outputs outputs = outputs_of(a_case, correct_program(a_case), {});
  for (NamedTensors& call : outputs.got)
    for (auto& [name, ranks] : call)
      for (Tensor& tensor : ranks)
        for (int i = *rc::gen::inRange(0, 4); i > 0 && !tensor.bytes.empty(); --i)
          tensor.bytes[*rc::gen::inRange<std::size_t>(0, tensor.bytes.size())] ^= std::byte{0x40};
  return outputs;
}

using Place = std::tuple<Index, std::string, Index, Index>;  // call, output, row and column of the grid

// By the tensors themselves.
std::map<Place, Index> differing(const Outputs& outputs, const std::vector<Grid>& grids) {
  std::map<Place, Index> places;
  for (const Grid& grid : grids)
    for (const Tile& tile : grid.tiles) {
      const auto call = static_cast<std::size_t>(grid.call), rank = static_cast<std::size_t>(tile.part.rank);
      const Tensor& got = outputs.got[call].at(grid.output)[rank];
      const Tensor& want = outputs.wanted[call].at(grid.output)[rank];
      for (Index i = 0; i < got.rows; ++i)
        for (Index j = 0; j < got.cols; ++j)
          if (!same_value(got.dtype, code_at(got, i, j), code_at(want, i, j)))
            ++places[{grid.call, grid.output, tile.top + i, tile.left + j}];
    }
  return places;
}

std::map<Place, Index> marked(const std::vector<Grid>& grids) {
  std::map<Place, Index> places;
  for (const Grid& grid : grids)
    for (const GridCell& cell : grid.cells) places[{grid.call, grid.output, cell.row, cell.col}] += cell.wrong;
  return places;
}

// Blocks of at most the limit have the same wrong elements.
void expect_same_in_blocks(const Outputs& outputs, const std::vector<Grid>& whole, const GridLimit& limit) {
  const auto grids = grids_of(outputs, limit);
  RC_ASSERT(whole.size() == grids.size());
  for (std::size_t i = 0; i < grids.size(); ++i) {
    const Grid& grid = grids[i];
    RC_ASSERT(std::ssize(grid.row_edges) - 1 <= limit.rows && std::ssize(grid.col_edges) - 1 <= limit.cols);
    Index wrong = 0;
    for (const GridCell& cell : grid.cells) {
      RC_ASSERT(cell.wrong <= cell.elements);
      wrong += cell.wrong;
    }
    RC_ASSERT(wrong == grid.wrong && wrong == whole[i].wrong);
  }
}

RC_GTEST_PROP(PictureGrid, MarksExactlyTheDifferingElements, ()) {
  const Outputs outputs = some_wrong(drawn_case());
  const auto grids = grids_of(outputs, unlimited);
  RC_ASSERT(marked(grids) == differing(outputs, grids));
  expect_same_in_blocks(outputs, grids, {*rc::gen::inRange<Index>(1, 12), *rc::gen::inRange<Index>(1, 12)});
}

// No two ranks' elements lie in one place, and all have one.
TEST(PictureGrid, TilesLieApartWithinTheGrid) {
  for (Index number = 0; number < 40; ++number) {
    const Case a_case = draw_case(12, number, 0, {.executor = Executor{}});
    for (const Grid& grid : grids_of(outputs_of(a_case, correct_program(a_case), {}), unlimited)) {
      std::vector<int> covered(static_cast<std::size_t>(grid.rows * grid.cols));
      for (const Tile& tile : grid.tiles)
        for (Index i = 0; i < tile.part.rows.size(); ++i)
          for (Index j = 0; j < tile.part.cols.size(); ++j)
            ++covered.at(static_cast<std::size_t>((tile.top + i) * grid.cols + tile.left + j));
      EXPECT_TRUE(std::ranges::all_of(covered, [](int times) { return times <= 1; })) << print(a_case);
      EXPECT_EQ(std::accumulate(covered.begin(), covered.end(), Index{0}), grid.elements);
    }
  }
}

std::vector<Index> inner_begins(const std::vector<Range>& parts, Index total) {
  std::vector<Index> begins;
  for (const Range& range : parts)
    if (range.begin > 0 && range.begin < total && (begins.empty() || begins.back() != range.begin))
      begins.push_back(range.begin);
  return begins;
}

std::vector<Index> places(const std::vector<GridLine>& lines, LineKind kind) {
  std::vector<Index> at;
  for (const GridLine& line : lines)
    if (line.kind == kind) at.push_back(line.at);
  return at;
}

Grid grid_of(const Case& a_case) {
  return grids_of(outputs_of(a_case, correct_program(a_case), {}), unlimited).front();
}

RC_GTEST_PROP(PictureGrid, LinesOfAPipelineAreThePartitions, ()) {
  Case a_case = parse_case("op=gemm_rs method=pipeline in=4");
  Call& call = a_case.calls.front();
  call.tp = *rc::gen::inRange<Index>(1, 7), call.splits = *rc::gen::inRange<Index>(1, 9);
  call.tokens = *rc::gen::inRange<Index>(1, 30), call.out = *rc::gen::inRange<Index>(1, 30);
  const Grid grid = grid_of(a_case);
  RC_ASSERT(places(grid.row_lines, LineKind::rank) == inner_begins(partition(call.tokens, call.tp), call.tokens));
  RC_ASSERT(places(grid.col_lines, LineKind::chunk) == inner_begins(partition(call.out, call.splits), call.out));
  RC_ASSERT(grid.row_lines.size() == places(grid.row_lines, LineKind::rank).size());
  RC_ASSERT(grid.col_lines.size() == places(grid.col_lines, LineKind::chunk).size());
}

RC_GTEST_PROP(PictureGrid, LinesOfAColumnsGatherAreThePartitions, ()) {
  Case a_case = parse_case("op=ag_gemm in=4");
  Call& call = a_case.calls.front();
  call.tp = *rc::gen::inRange<Index>(1, 7);
  call.tokens = *rc::gen::inRange<Index>(1, 30), call.out = *rc::gen::inRange<Index>(7, 30);
  const Grid grid = grid_of(a_case);
  RC_ASSERT(places(grid.row_lines, LineKind::chunk) == inner_begins(partition(call.tokens, call.tp), call.tokens));
  RC_ASSERT(places(grid.col_lines, LineKind::rank) == inner_begins(partition(call.out, call.tp), call.out));
}

RC_GTEST_PROP(PictureGrid, CellsAreCutAtLines, ()) {
  const Index total = *rc::gen::inRange<Index>(0, 400), most = *rc::gen::inRange<Index>(1, 60);
  std::vector<GridLine> lines;
  for (Index at : inner_begins(partition(total, *rc::gen::inRange<Index>(1, 80)), total)) lines.push_back({at});
  const auto edges = cell_edges(total, lines, most);
  RC_ASSERT(edges.front() == 0 && edges.back() == total && std::ssize(edges) - 1 <= most);
  RC_ASSERT(std::ranges::is_sorted(edges, std::less_equal{}) || total == 0);
  if (std::ssize(lines) + 1 <= most)
    for (const GridLine& line : lines) RC_ASSERT(std::ranges::binary_search(edges, line.at));
}

TEST(PictureGrid, WhatALayerGivesComesInItsOrder) {
  const Case a_case = parse_case("op=row_linear pass=both tp=2 ; tokens=4");
  std::string order;
  for (const Grid& grid : grids_of(outputs_of(a_case, correct_program(a_case), {}), unlimited))
    order += fmt::format("{}{} ", grid.output, grid.call);
  EXPECT_EQ(order, "y0 dx0 dw0 db0 y1 dx1 dw1 db1 ");
}

TEST(PictureGrid, GroupsOfAWorldLieOneBelowTheOther) {
  const Grid grid = grid_of(parse_case("op=gemm_rs tp=2 world=4 groups=strided tokens=6 in=4 out=4"));
  EXPECT_EQ(grid.rows, 12);
  EXPECT_EQ(places(grid.row_lines, LineKind::group), std::vector<Index>{6});
  EXPECT_EQ(grid.tiles[1].part.rank, 2);  // of group 0
}

}  // namespace
}  // namespace lockstep
