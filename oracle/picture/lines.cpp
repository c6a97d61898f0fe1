#include "oracle/picture/lines.h"

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Places = std::map<Index, LineKind>;

void add(Places& places, Index at, LineKind kind) {
  const auto [place, is_new] = places.try_emplace(at, kind);
  if (!is_new) place->second = std::max(place->second, kind);
}

std::vector<GridLine> inside(const Places& places, Index end) {
  std::vector<GridLine> lines;
  for (const auto& [at, kind] : places)
    if (at > 0 && at < end) lines.push_back({at, kind});
  return lines;
}

bool is_reduced(const Call& call, const std::string& output) { return output == (call.is_row() ? "y" : "dx"); }

Method method_of(const Call& call, const std::string& output) {
  const Call known = resolved(call);
  return output == "y" ? known.method : known.dgrad;
}

std::vector<Range> column_chunks(const Call& call, const std::string& output) {
  if (!is_reduced(call, output) || method_of(call, output) != Method::pipeline || has_block_scales(call.recipe))
    return {};
  return partition(output == "y" ? call.out : call.in, call.splits);
}

std::vector<Range> row_chunks(const Call& call, const std::string& output) {
  const bool has_tokens = output == "y" || output == "dx";
  if (!has_tokens || method_of(call, output) == Method::pipeline) return {};
  return partition(call.tokens, call.tp);
}

void add_chunks(Places& places, const std::vector<Range>& chunks, const Range& held, Index at) {
  for (const Range& chunk : chunks)
    if (held.contains(chunk.begin)) add(places, at + chunk.begin - held.begin, LineKind::chunk);
}

void add_tiles(Places& places, const std::vector<Tile>& tiles, Index Tile::*at) {
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const bool new_group = i > 0 && tiles[i].part.group != tiles[i - 1].part.group && at == &Tile::top;
    add(places, tiles[i].*at, new_group ? LineKind::group : LineKind::rank);
  }
}

}  // namespace

std::vector<GridLine> row_lines(const Call& call, const std::vector<Tile>& tiles, Index rows) {
  Places places;
  for (const Tile& tile : tiles) add_chunks(places, row_chunks(call, tile.part.output), tile.part.rows, tile.top);
  add_tiles(places, tiles, &Tile::top);
  return inside(places, rows);
}

std::vector<GridLine> col_lines(const Call& call, const std::vector<Tile>& tiles, Index cols) {
  Places places;
  for (const Tile& tile : tiles) add_chunks(places, column_chunks(call, tile.part.output), tile.part.cols, tile.left);
  add_tiles(places, tiles, &Tile::left);
  return inside(places, cols);
}

}  // namespace lockstep
