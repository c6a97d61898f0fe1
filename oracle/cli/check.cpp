// lockstep check: judges outputs that some other program produced.
#include "oracle/cli/exit_code.h"
#include "oracle/cli/verbs.h"
#include "oracle/judges/recorded.h"
#include "oracle/report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace lockstep {
namespace {

struct CheckFlags {
  std::vector<std::string> files;
  std::string json;
};

struct Checked {
  std::string file;
  RecordedVerdict verdict;
};

void print_checked(const Checked& checked) {
  const RecordedVerdict& v = checked.verdict;
  fmt::print("{:<8} {}: {} of {} elements differ, judge {} ({})\n", v.agrees() ? "agree" : "disagree", checked.file,
             v.differing, v.compared, v.judge, v.model);
  for (const CodeDifference& difference : v.first) fmt::print("         {}\n", describe(difference));
}

nlohmann::json to_json(const Checked& checked) {
  nlohmann::json first = nlohmann::json::array();
  for (const CodeDifference& difference : checked.verdict.first) first.push_back(describe(difference));
  const RecordedVerdict& v = checked.verdict;
  return {{"file", checked.file},   {"verdict", v.agrees() ? "agree" : "disagree"},
          {"judge", v.judge},       {"model", v.model},
          {"compared", v.compared}, {"differing", v.differing},
          {"first", first}};
}

int run(const CheckFlags& flags) {
  nlohmann::json files = nlohmann::json::array();
  Index disagree = 0, tested = 0;
  for (const std::string& file : flags.files) {
    const Checked checked{file, judge_recorded(file)};
    if (flags.json != "-") print_checked(checked);
    files.push_back(to_json(checked));
    disagree += checked.verdict.agrees() ? 0 : 1;
    tested += checked.verdict.compared > 0 ? 1 : 0;
  }
  const int code = disagree > 0 ? exit_disagree : tested == 0 ? exit_blind : exit_agree;
  const std::string verdict = code == exit_agree ? "agree" : code == exit_disagree ? "disagree" : "blind";
  if (flags.json != "-") fmt::print("{} files, {} disagree\nverdict: {}\n", flags.files.size(), disagree, verdict);
  if (!flags.json.empty())
    write_json({{"verdict", verdict}, {"cases", flags.files.size()}, {"disagree", disagree}, {"files", files}},
               flags.json);
  return code;
}

}  // namespace

void add_check(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<CheckFlags>();
  CLI::App* verb = app.add_subcommand("check", "Judge recorded outputs of other programs, bit for bit");
  verb->add_option(
          "files", flags->files,
          "safetensors files, each with one GEMM or one tensor-parallel kernel (README.md says what is in one)")
      ->required();
  verb->add_option("--json", flags->json, "also write the result as JSON; - for standard output");
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
