#include "oracle/inputs/recorded_layer.h"

#include "oracle/inputs/recorded_kernel.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr Range one{0, 1};

std::optional<Tensor> scale(const std::optional<StoredMatrix>& stored) {
  return stored ? std::optional(stored->load(one, one)) : std::nullopt;
}

GemmInputs load_inputs(const StoredRank& of_input, const Range& rows, const StoredRank& of_weight, const Range& cols) {
  GemmInputs inputs{.input = of_input.input.load(rows, {0, of_input.input.cols}),
                    .weight = of_weight.weight.load(cols, {0, of_weight.weight.cols}),
                    .input_scale = scale(of_input.input_scale),
                    .weight_scale = scale(of_weight.weight_scale),
                    .output = of_weight.output.dtype};
  if (of_weight.bias) inputs.bias = of_weight.bias->load(one, cols);
  return inputs;
}

// Of one rank's output, as a kernel of one rank.
RecordedLayer alone(const StoredLayer& stored, const Piece& piece) {
  const Problem& p = stored.layer.problem;
  RecordedLayer layer = stored.layer;
  layer.kernel = RecordedKernel::gemm_by_columns;
  layer.problem.tp = 1, layer.problem.tokens = piece.rows.size(), layer.problem.out = piece.cols.size();
  const Index source = stored.layer.gathers() ? part_holding(p.tokens, p.tp, piece.rows.begin) : piece.rank;
  const Index first = stored.layer.gathers() ? p.tokens_of(source).begin : 0;
  const StoredRank& of_rank = stored.ranks[static_cast<std::size_t>(piece.rank)];
  layer.ranks.push_back({load_inputs(stored.ranks[static_cast<std::size_t>(source)],
                                     {piece.rows.begin - first, piece.rows.end - first}, of_rank, piece.cols),
                         of_rank.output.load(piece.rows, piece.cols)});
  return layer;
}

// Rows that one rank keeps, of all products.
RecordedLayer of_reduction(const StoredLayer& stored, const Piece& piece) {
  RecordedLayer layer = stored.layer;
  const Index first = layer.problem.tokens_of(piece.rank).begin;
  layer.problem.tokens = piece.rows.size(), layer.problem.out = piece.cols.size();
  for (std::size_t rank = 0; rank < stored.ranks.size(); ++rank) {
    const StoredRank& from = stored.ranks[rank];
    const bool is_owner = static_cast<Index>(rank) == piece.rank;
    layer.ranks.push_back({load_inputs(from, {first + piece.rows.begin, first + piece.rows.end}, from, piece.cols),
                           from.output.load(is_owner ? piece.rows : Range{}, piece.cols)});
  }
  return layer;
}

}  // namespace

Range RecordedLayer::kept_by(Index rank) const {
  if (!piece) return problem.tokens_of(rank);
  return {0, rank == piece->rank ? problem.tokens : 0};
}

RecordedLayer load(const StoredLayer& stored) {
  RecordedLayer layer = stored.layer;
  for (const StoredRank& rank : stored.ranks)
    layer.ranks.push_back({load_inputs(rank, {0, rank.input.rows}, rank, {0, rank.weight.rows}), rank.output.load()});
  return layer;
}

RecordedLayer load(const StoredLayer& stored, const Piece& piece) {
  RecordedLayer layer = stored.layer.reduces() ? of_reduction(stored, piece) : alone(stored, piece);
  layer.piece =
      PieceOf{fmt::format("rank{}.{}", piece.rank, layer.output), piece.rank, piece.rows.begin, piece.cols.begin};
  return layer;
}

RecordedLayer recorded_layer(const Safetensors& file) { return load(stored_kernel(file)); }

}  // namespace lockstep
