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

template <typename Recorded>
RecordedVerdict judged(const Recorded& recorded, RecordedJudge judge) {
  if (judge == RecordedJudge::bound) return judge_bound(recorded);
  return judge == RecordedJudge::declared || recorded.is_declared() ? judge_declared(recorded)
                                                                    : judge_by_known_orders(recorded);
}

// A refusal of a judge does not know the file's name.
template <typename Judge>
RecordedVerdict of_file(const Safetensors& file, const Judge& judge) try {
  return judge();
} catch (const Refusal& refusal) {
  refuse("{}: {}", file.file.name(), refusal.what());
}

RecordedVerdict judge_gemm(const Safetensors& file, RecordedJudge judge) {
  const RecordedGemm recorded = recorded_gemm(file);
  return of_file(
      file, [&] { return judge == RecordedJudge::freivalds ? judge_freivalds(recorded) : judged(recorded, judge); });
}

RecordedVerdict judge_layer(const Safetensors& file, RecordedJudge judge) {
  if (judge == RecordedJudge::freivalds)
    refuse("{}: judge freivalds takes a gemm; a tensor-parallel kernel has declared and bound", file.file.name());
  const RecordedLayer recorded = recorded_layer(file);
  return of_file(file, [&] { return judged(recorded, judge); });
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
