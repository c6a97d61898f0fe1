#include "oracle/inputs/recorded_ranks.h"

#include "reference/contract/case.h"

#include <algorithm>

namespace lockstep {

std::string of_rank(Index rank, std::string_view tensor) { return fmt::format("rank{}.{}", rank, tensor); }

Problem read_problem(const RecordedReader& read) {
  constexpr Index most = Index{1} << 40;
  Problem problem;
  problem.tp = read.number("tp", 1, max_tp);
  problem.tokens = read.number("tokens", 1, most);
  problem.in = read.number("in_features", 1, most);
  problem.out = read.number("out_features", 1, most);
  return problem;
}

std::optional<RecordedReduction> read_reduction(const RecordedReader& read, bool reduces, std::string_view what) {
  const std::string text = read.value("reduction", "unknown");
  if (text == "unknown") return std::nullopt;
  if (!reduces) read.refuse_file("says how it reduces and is {}, which reduces nothing", what);
  const auto reduction = reduction_named(text);
  if (!reduction)
    read.refuse_file("the metadata reduction={} is not among what can be judged: {}, unknown", in_quotes(text),
                     reduction_names());
  return reduction;
}

void expect_plain(const RecordedReader& read) {
  read.choice("alpha", {"1"});
  read.choice("beta", {"0"});
  read.choice("split_k", {"1"});
  read.choice("recipe", {"tensor"});
}

void expect_on_every_rank(const RecordedReader& read, Index tp, const std::vector<std::string>& tensors,
                          std::string_view rest) {
  std::string missing;
  bool has_any = false;
  for (Index rank = 0; rank < tp; ++rank)
    for (const std::string& tensor : tensors) {
      const std::string name = of_rank(rank, tensor);
      const bool is_there = read.file.find(name);
      has_any |= is_there;
      if (!is_there && missing.empty()) missing = name;
    }
  if (has_any && !missing.empty()) read.refuse_file("has no tensor {}: {}", missing, rest);
}

void expect_alike(const RecordedReader& read, Index tp, const std::vector<std::string>& tensors) {
  for (const std::string& tensor : tensors)
    for (Index rank = 1; rank < tp; ++rank) {
      const StoredTensor *first = read.file.find(of_rank(0, tensor)), *other = read.file.find(of_rank(rank, tensor));
      if (first && other && first->dtype != other->dtype)
        read.refuse_file("{} is {} and {} {}: all ranks have the same format", first->name,
                         safetensors_name(first->dtype), other->name, safetensors_name(other->dtype));
    }
}

}  // namespace lockstep
