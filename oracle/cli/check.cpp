// lockstep check: judges outputs that some other program produced.
#include "oracle/cli/exit_code.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/verbs.h"
#include "oracle/diagnosis/recorded/explain.h"
#include "oracle/inputs/dump.h"
#include "oracle/inputs/recorded_path.h"
#include "oracle/judges/recorded/judge_recorded.h"
#include "oracle/report/json.h"
#include "oracle/report/standard_error.h"
#include "reference/contract/refusal.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <new>

namespace lockstep {
namespace {

struct CheckFlags {
  std::vector<std::string> files;
  std::string json;
  std::string judge = "strongest";
  Index memory = 1024;  // MiB
};

struct Checked {
  std::string file;
  RecordedVerdict verdict = {};
  RecordedExplanation explanation = {};  // where it disagrees
  std::string refusal = {};              // why there is no verdict

  std::string_view outcome() const { return !refusal.empty() ? "refused" : verdict.agrees() ? "agree" : "disagree"; }
};

Checked refused(const std::string& file, const std::string& why) {
  say(fmt::format("lockstep: {}\n", why));
  return {.file = file, .refusal = why};
}

// On its own: what is wrong with one dump, or too large in it, leaves the others their verdicts.
Checked check(const std::vector<std::string>& files, RecordedJudge judge, double most_bytes) {
  const std::string file = fmt::format("{}", fmt::join(files, ", "));
  try {
    const Safetensors dump = read_dump(files);
    Checked checked{file, judge_recorded(dump, judge, most_bytes)};
    if (!checked.verdict.agrees()) checked.explanation = explain_recorded(dump, checked.verdict);
    return checked;
  } catch (const Refusal& refusal) {
    return refused(file, refusal.what());
  } catch (const std::bad_alloc&) {
    return refused(file, fmt::format("{}: there is not enough memory to judge it", shown_path(file)));
  }
}

void print_checked(const Checked& checked) {
  const RecordedVerdict& v = checked.verdict;
  if (!checked.refusal.empty()) return;
  fmt::print("{:<8} {}: {} of {} elements differ, judge {} ({})\n", checked.outcome(), shown_path(checked.file),
             v.differing, v.compared, v.judge, v.model);
  for (const CodeDifference& difference : v.first) fmt::print("         {}\n", describe(difference));
  const RecordedExplanation& why = checked.explanation;
  for (const Reading& reading : why.readings)
    fmt::print("{} {}\n", &reading == &why.readings[0] ? "reads as" : "or as   ", print(reading));
  for (const std::string& pattern : why.patterns) fmt::print("pattern  {}\n", pattern);
}

nlohmann::json to_json(const RecordedExplanation& explanation) {
  nlohmann::json readings = nlohmann::json::array();
  for (const Reading& reading : explanation.readings) readings.push_back(to_json(reading));
  return {{"readings", readings}, {"patterns", explanation.patterns}};
}

nlohmann::json to_json(const Checked& checked) {
  nlohmann::json first = nlohmann::json::array();
  for (const CodeDifference& difference : checked.verdict.first) first.push_back(describe(difference));
  const RecordedVerdict& v = checked.verdict;
  return {{"file", checked.file},
          {"verdict", checked.outcome()},
          {"refusal", checked.refusal},
          {"judge", v.judge},
          {"model", v.model},
          {"compared", v.compared},
          {"differing", v.differing},
          {"first", first},
          {"explanation", to_json(checked.explanation)},
          {"utilisation", v.utilisation.largest},
          {"unjudged", v.utilisation.unjudged}};
}

Index number_of(const std::vector<Checked>& all, std::string_view outcome) {
  return std::ranges::count(all, outcome, &Checked::outcome);
}

int exit_code(const std::vector<Checked>& all) {
  return number_of(all, "disagree") > 0 ? exit_disagree : number_of(all, "refused") > 0 ? exit_invalid : exit_agree;
}

std::string_view verdict_of(int code) {
  return code == exit_agree ? "agree" : code == exit_disagree ? "disagree" : "invalid";
}

int run(const CheckFlags& flags) {
  const RecordedJudge judge = recorded_judge_named(flags.judge);
  expect_json_writable(flags.json, flags.files);
  std::vector<Checked> all;
  nlohmann::json files = nlohmann::json::array();
  for (const std::vector<std::string>& dump : dumps_in(flags.files)) {
    all.push_back(check(dump, judge, static_cast<double>(flags.memory) * 0x1p20));
    if (flags.json != "-") print_checked(all.back());
    files.push_back(to_json(all.back()));
  }
  const int code = exit_code(all);
  const auto disagree = number_of(all, "disagree"), refused = number_of(all, "refused");
  if (flags.json != "-")
    fmt::print("{} dump{}, {} disagree{}\nverdict: {}\n", all.size(), all.size() == 1 ? "" : "s", disagree,
               refused > 0 ? fmt::format(", {} not judged", refused) : "", verdict_of(code));
  if (!flags.json.empty())
    write_json({{"verdict", verdict_of(code)},
                {"cases", all.size()},
                {"disagree", disagree},
                {"refused", refused},
                {"files", files}},
               flags.json);
  return code;
}

}  // namespace

void add_check(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<CheckFlags>();
  CLI::App* verb =
      app.add_subcommand("check", "Judge recorded outputs of other programs, bit for bit or to within a bound");
  verb->add_option(
          "files", flags->files,
          "safetensors files, each with a GEMM, a tensor-parallel kernel or a linear layer; of a layer one for each "
          "rank, one after the other; or the index of a sharded one (docs/dumps.md)")
      ->required();
  verb->add_option(
      "--judge", flags->judge,
      "declared, bound (the order of sums withheld), freivalds (exact data); strongest, the default: declared "
      "where the file says how it sums, else the orders that are known, else bound");
  verb->add_option("--memory", flags->memory, "MiB that may be used, about; what needs more is judged in pieces")
      ->check(CLI::Range(Index{1}, Index{1} << 30))
      ->capture_default_str();
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
