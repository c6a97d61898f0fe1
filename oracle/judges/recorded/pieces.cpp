#include "oracle/judges/recorded/pieces.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/bounded.h"
#include "reference/numerics/ceil_div.h"

#include <algorithm>
#include <memory>

namespace lockstep {
namespace {

constexpr Index grain = 128;  // of columns, so that blocks of scales are whole

// What a block of an output is made of: `terms` products over k, operands of so many bytes.
struct Needs {
  Index k = 0, terms = 1, operand_bytes = 2;
  bool is_codes_alone = false;

  // Codes as read and as a product takes them, a float and a term of each; of the output what the judges compute.
  double bytes(Index rows, Index cols) const {
    const double numbers = 8.0 + sizeof(Bounded) * static_cast<double>(2 + (terms > 1 ? terms + 2 : 0));
    const double of_operand = is_codes_alone ? operand_bytes : 2 * operand_bytes + 8;
    const double of_output = is_codes_alone ? sizeof(float) : numbers;
    return static_cast<double>(rows + cols) * static_cast<double>(k * terms) * of_operand +
           static_cast<double>(rows) * static_cast<double>(cols) * of_output;
  }
};

// Some rows and columns of one rank's output.
struct Steps {
  Index rows, cols;
};

Steps steps(const std::string& name, const Needs& needs, Index rows, Index cols, double most_bytes) {
  Steps step{rows, cols};
  while (needs.bytes(step.rows, step.cols) > most_bytes) {
    if (step.cols > grain && step.cols >= step.rows)
      step.cols = ceil_div(ceil_div(step.cols, 2), grain) * grain;
    else if (step.rows > 1)
      step.rows = ceil_div(step.rows, 2);
    else
      refuse("{}: sums over {} products need {:.1f} MiB a piece, and {:.1f} MiB may be used: give more (--memory)",
             name, needs.k, needs.bytes(1, step.cols) / 0x1p20, most_bytes / 0x1p20);
  }
  return step;
}

void cut(std::vector<Piece>& all, const std::string& name, const Needs& needs, const Piece& block, double most_bytes) {
  if (block.rows.empty() || block.cols.empty()) return;
  const auto [rows, cols] = steps(name, needs, block.rows.size(), block.cols.size(), most_bytes);
  for (Index row = block.rows.begin; row < block.rows.end; row += rows)
    for (Index col = block.cols.begin; col < block.cols.end; col += cols)
      all.push_back(
          {block.rank, {row, std::min(row + rows, block.rows.end)}, {col, std::min(col + cols, block.cols.end)}});
}

Needs needs_of(const StoredGemm& g, bool is_codes_alone = false) { return {g.k, 1, bytes_of(g.input), is_codes_alone}; }
Needs needs_of(const StoredLayer& stored) {
  Needs needs{0, stored.layer.reduces() ? stored.layer.problem.tp : 1, bytes_of(stored.ranks.front().input.dtype)};
  for (const StoredRank& rank : stored.ranks) needs.k = std::max(needs.k, rank.input.cols);
  return needs;
}

std::vector<Piece> cut(const StoredGemm& g, double most_bytes, bool is_codes_alone = false) {
  std::vector<Piece> all;
  cut(all, g.file->name, needs_of(g, is_codes_alone), {0, {0, g.m}, {0, g.n}}, most_bytes);
  return all;
}

std::vector<Piece> cut(const StoredLayer& stored, double most_bytes) {
  std::vector<Piece> all;
  const Needs needs = needs_of(stored);
  const Problem& p = stored.layer.problem;
  for (Index rank = 0; rank < p.tp; ++rank) {
    const StoredMatrix& output = stored.ranks[static_cast<std::size_t>(rank)].output;
    for (const Range& rows : partition(output.rows, stored.layer.gathers() ? p.tp : 1))
      cut(all, output.file->name, needs, {rank, rows, {0, output.cols}}, most_bytes);
  }
  return all;
}

// Of all ranks at once, what gathers has each rank's product with each.
double bytes_of_whole(const StoredGemm& g) { return needs_of(g).bytes(g.m, g.n); }
double bytes_of_whole(const StoredLayer& stored) {
  const Needs needs = needs_of(stored);
  double all = 0;
  for (const StoredRank& rank : stored.ranks) all += needs.bytes(rank.input.rows + rank.output.rows, rank.weight.rows);
  return all;
}

RecordedGemm whole(const StoredGemm& g) { return recorded_gemm(*g.file); }
RecordedLayer whole(const StoredLayer& stored) { return load(stored); }

template <typename Recorded, typename Stored>
Pieces<Recorded> pieces(const Stored& stored, std::vector<Piece> cuts) {
  const auto all = std::make_shared<std::vector<Piece>>(std::move(cuts));
  return {std::ssize(*all), [&, all](Index n) { return load(stored, (*all)[static_cast<std::size_t>(n)]); }};
}

template <typename Recorded, typename Stored>
Pieces<Recorded> pieces(const Stored& stored, double most_bytes) {
  if (bytes_of_whole(stored) <= most_bytes) return {1, [&](Index) { return whole(stored); }};
  return pieces<Recorded>(stored, cut(stored, most_bytes));
}

bool holds(const Piece& piece, Index row, Index col) { return piece.rows.contains(row) && piece.cols.contains(col); }

}  // namespace

Pieces<RecordedGemm> pieces_of(const StoredGemm& gemm, double most_bytes) {
  return pieces<RecordedGemm>(gemm, most_bytes);
}

Pieces<RecordedGemm> pieces_of_codes(const StoredGemm& gemm, double most_bytes) {
  if (bytes_of_whole(gemm) <= most_bytes) return pieces_of(gemm, most_bytes);
  return pieces<RecordedGemm>(gemm, cut(gemm, most_bytes, true));
}

Pieces<RecordedLayer> pieces_of(const StoredLayer& layer, double most_bytes) {
  return pieces<RecordedLayer>(layer, most_bytes);
}

RecordedGemm piece_with(const StoredGemm& gemm, double most_bytes, Index row, Index col) {
  if (bytes_of_whole(gemm) <= most_bytes) return whole(gemm);
  const auto all = cut(gemm, most_bytes);
  const auto found = std::ranges::find_if(all, [&](const Piece& piece) { return holds(piece, row, col); });
  CHECK(found != all.end(), "an element that is in no piece");
  return load(gemm, *found);
}

RecordedLayer piece_with(const StoredLayer& layer, double most_bytes, std::string_view tensor, Index row, Index col) {
  if (bytes_of_whole(layer) <= most_bytes) return whole(layer);
  const auto all = cut(layer, most_bytes);
  const auto found = std::ranges::find_if(all, [&](const Piece& piece) {
    return holds(piece, row, col) && fmt::format("rank{}.{}", piece.rank, layer.layer.output) == tensor;
  });
  CHECK(found != all.end(), "an element that is in no piece");
  return load(layer, *found);
}

}  // namespace lockstep
