#include "oracle/judges/recorded/judge_recorded.h"

#include "oracle/inputs/recorded_reader.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/judge_bound.h"
#include "oracle/judges/recorded/judge_freivalds.h"
#include "oracle/judges/recorded/known_orders.h"
#include "oracle/judges/recorded/memory.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 4> names{"strongest", "declared", "bound", "freivalds"};

// A refusal of these judges does not know the file's name.
template <typename Judge>
RecordedVerdict of_file(const Safetensors& file, const Judge& judge) try {
  return judge();
} catch (const Refusal& refusal) {
  refuse("{}: {}", file.file.name(), refusal.what());
}

template <typename Recorded>
RecordedVerdict judged(const Safetensors& file, const Recorded& recorded, RecordedJudge judge) {
  const bool is_strongest = judge == RecordedJudge::strongest;
  if (judge == RecordedJudge::declared || (is_strongest && recorded.is_declared())) return judge_declared(recorded);
  refuse_if_too_large(file, sizeof(Bounded));
  return of_file(file, [&] { return is_strongest ? judge_by_known_orders(recorded) : judge_bound(recorded); });
}

RecordedVerdict judge_gemm(const Safetensors& file, RecordedJudge judge) {
  const RecordedGemm recorded = recorded_gemm(file);
  if (judge != RecordedJudge::freivalds) return judged(file, recorded, judge);
  return of_file(file, [&] { return judge_freivalds(recorded); });
}

RecordedVerdict judge_layer(const Safetensors& file, RecordedJudge judge) {
  if (judge == RecordedJudge::freivalds)
    refuse("{}: judge freivalds takes a gemm; a tensor-parallel kernel has declared and bound", file.file.name());
  return judged(file, recorded_layer(file), judge);
}

}  // namespace

RecordedJudge recorded_judge_named(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    refuse("--judge {}: the judges of a recording are {}", in_quotes(name), fmt::join(names, ", "));
  return static_cast<RecordedJudge>(found - names.begin());
}

RecordedVerdict judge_recorded(const std::string& path, RecordedJudge judge) {
  const Safetensors file = read_safetensors(path);
  const bool is_gemm = RecordedReader{file}.expect_op({"gemm", "all_gather_gemm", "gemm_reduce_scatter"}) == 0;
  refuse_if_too_large(file);
  return is_gemm ? judge_gemm(file, judge) : judge_layer(file, judge);
}

}  // namespace lockstep
