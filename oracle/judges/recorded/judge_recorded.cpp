#include "oracle/judges/recorded/judge_recorded.h"

#include "oracle/inputs/recorded_kernel.h"
#include "oracle/inputs/recorded_linear.h"
#include "oracle/inputs/recorded_reader.h"
#include "oracle/judges/recorded/judge_pieces.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 4> names{"strongest", "declared", "bound", "freivalds"};

std::size_t op_of(const Safetensors& file) {
  return RecordedReader{file}.expect_op(
      {"gemm", "all_gather_gemm", "gemm_reduce_scatter", "row_linear", "column_linear"});
}

// A refusal of these judges does not know the file's name.
template <typename Judge>
RecordedVerdict of_file(const Safetensors& file, const Judge& judge) try {
  return judge();
} catch (const Refusal& refusal) {
  if (std::string_view(refusal.what()).starts_with(file.name)) throw;
  refuse("{}: {}", file.name, refusal.what());
}

template <typename Recorded>
RecordedVerdict judged(const Pieces<Recorded>& pieces, bool is_declared, RecordedJudge judge) {
  if (judge == RecordedJudge::bound) return judge_bound(pieces);
  if (judge == RecordedJudge::declared || is_declared) return judge_declared(pieces);
  return judge_undeclared(pieces);
}

RecordedVerdict judge_gemm(const Safetensors& file, RecordedJudge judge, double most_bytes) {
  const StoredGemm gemm = stored_gemm(file);
  const bool is_freivalds = judge == RecordedJudge::freivalds;
  const auto pieces = is_freivalds ? pieces_of_codes(gemm, most_bytes) : pieces_of(gemm, most_bytes);
  RecordedVerdict verdict = is_freivalds ? judge_freivalds(pieces) : judged(pieces, gemm.is_declared, judge);
  if (pieces.count > 1 && file.find("output_amax")) verdict.model += "; output_amax not judged, of a file in pieces";
  return verdict;
}

void add_to(RecordedVerdict& all, const RecordedVerdict& verdict, const std::string& output) {
  if (all.judge.find(verdict.judge) == all.judge.npos) all.judge += ", " + verdict.judge;
  all.model += fmt::format("; {}: {}", output, verdict.model);
  all.add(verdict);
}

RecordedVerdict judge_layers(const std::vector<StoredLayer>& layers, RecordedJudge judge, double most_bytes) {
  RecordedVerdict all;
  for (const StoredLayer& stored : layers) {
    RecordedVerdict verdict = judged(pieces_of(stored, most_bytes), stored.layer.is_declared(), judge);
    const bool is_first = &stored == &layers.front();
    if (is_first && layers.size() > 1) verdict.model = fmt::format("{}: {}", stored.layer.output, verdict.model);
    is_first ? void(all = verdict) : add_to(all, verdict, stored.layer.output);
    all.parts.push_back({stored.layer.output, verdict.judge, verdict.first});
  }
  return all;
}

}  // namespace

RecordedJudge recorded_judge_named(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    refuse("--judge {}: the judges of a recording are {}", in_quotes(name), fmt::join(names, ", "));
  return static_cast<RecordedJudge>(found - names.begin());
}

std::vector<StoredLayer> stored_layers(const Safetensors& file) {
  if (op_of(file) >= 3) return stored_linear(file);
  std::vector<StoredLayer> one;
  one.push_back(stored_kernel(file));
  return one;
}

RecordedVerdict judge_recorded(const Safetensors& file, RecordedJudge judge, double most_bytes) {
  const double of_a_piece = most_bytes / static_cast<double>(pieces_at_a_time());
  return of_file(file, [&] {
    if (op_of(file) == 0) return judge_gemm(file, judge, of_a_piece);
    if (judge == RecordedJudge::freivalds)
      refuse("judge freivalds takes a gemm; kernels and layers over ranks have declared and bound");
    return judge_layers(stored_layers(file), judge, of_a_piece);
  });
}

RecordedVerdict judge_recorded(const std::string& path, RecordedJudge judge) {
  return judge_recorded(read_safetensors(path), judge);
}

}  // namespace lockstep
