#include "oracle/kernel/kernel_about.h"

#include "oracle/campaign/child.h"
#include "oracle/kernel/kernel_library.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace lockstep {
namespace {

std::string said_of(const std::string& path) {
  const lockstep_kernel& t = load_kernel(path);
  return nlohmann::json{t.name,        t.memory,       t.ops,         t.min_ranks,    t.max_ranks, t.tokens_multiple,
                        t.in_multiple, t.out_multiple, t.even_shards, t.row_alignment}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Index at_least_one(const nlohmann::json& j) { return std::max<Index>(1, j.get<Index>()); }

}  // namespace

KernelAbout about_kernel(const std::string& path, std::chrono::milliseconds limit) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    refuse("--kernel {}: there is no file of that name", in_quotes(path));
  KernelAbout about;
  about.path = std::filesystem::absolute(path).lexically_normal().string();
  const Said said = said_by_child([&] { return said_of(about.path); }, limit);
  if (!said.text) refuse("--kernel {}: the process that loaded it {}", in_quotes(path), said.ended);
  const auto table = nlohmann::json::parse(*said.text, nullptr, false);
  if (!table.is_array()) refuse("--kernel {}: while it was loaded {}", in_quotes(path), wrote_into_results);
  about.name = table[0];
  about.memory = table[1] == int{LOCKSTEP_CUDA} ? RunsOn::cuda : RunsOn::host;
  about.ops = table[2];
  about.min_ranks = at_least_one(table[3]);
  about.max_ranks = table[4] == 0 ? max_tp : std::min(max_tp, table[4].get<Index>());
  about.tokens_multiple = at_least_one(table[5]);
  about.in_multiple = at_least_one(table[6]);
  about.out_multiple = at_least_one(table[7]);
  about.even_shards = table[8] != 0;
  about.row_alignment = at_least_one(table[9]);
  return about;
}

std::string ops_in_words(const KernelAbout& about) {
  constexpr std::string_view names[] = {"gemm", "gemm_rs", "ag_gemm", "gemm_ar", "row_linear", "column_linear"};
  std::vector<std::string_view> words;
  for (int op = LOCKSTEP_GEMM; op <= LOCKSTEP_COLUMN_LINEAR; ++op)
    if (about.implements(op)) words.push_back(names[op]);
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace lockstep
