// lockstep hazards: what is wrong with the schedule of a case whatever the data and the timing, without running it.
#include "oracle/campaign/hazard_search.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/cli/exit_code.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/verbs.h"
#include "oracle/faults/strike.h"
#include "oracle/report/json_file.h"
#include "oracle/report/progress.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

namespace lockstep {
namespace {

struct HazardFlags {
  std::vector<std::string> cases;
  std::int64_t random_cases = 0, threads = 0;
  std::uint64_t seed = 0;
  std::optional<std::string> fault;
  std::string json;
};

Case parse_with_fault(const std::string& line, const HazardFlags& flags) {
  Case a_case = parse_case(line);
  for (Call& call : a_case.calls)
    if (flags.fault) key_named("fault").set(call, *flags.fault);
  refuse_if_too_large(a_case);
  if (const std::string& fault = a_case.first().fault; !fault.empty() && !is_struck(a_case))
    refuse("fault={}: the case has no place for it, so there is nothing to find", fault);
  return a_case;
}

HazardSearch search_of(const HazardFlags& flags) {
  HazardSearch search;
  for (const std::string& line : flags.cases) search.cases.push_back(parse_with_fault(line, flags));
  Call call;
  if (flags.fault) key_named("fault").set(call, *flags.fault);
  if (!call.fault.empty()) fault_named(call.fault.substr(0, call.fault.find(':')));
  search.random_cases = flags.random_cases, search.seed = flags.seed, search.fault = call.fault;
  search.threads = flags.threads > 0 ? flags.threads : std::max(1u, std::thread::hardware_concurrency());
  if (search.cases.empty() && search.random_cases == 0)
    refuse("hazards takes --case LINE, any number of them, or --cases N random ones");
  return search;
}

nlohmann::json to_json(const Checked& checked) {
  nlohmann::json found = nlohmann::json::array();
  for (const Hazard& hazard : checked.hazards) {
    nlohmann::json operations = nlohmann::json::array();
    for (const Step& step : hazard.operations) operations.push_back({{"call", step.call}, {"operation", step.op}});
    found.push_back({{"kind", name(hazard.kind)}, {"sentence", hazard.sentence}, {"operations", operations}});
  }
  return {{"case", print(checked.a_case)},
          {"operations", checked.operations},
          {"hazards", found},
          {"seconds", checked.seconds}};
}

bool hangs(const Checked& checked) {
  return std::ranges::any_of(checked.hazards, [](const Hazard& h) { return h.kind == HazardKind::deadlock; });
}

int code_of(const std::vector<Checked>& all) {
  const auto has = [](const Checked& checked) { return !checked.hazards.empty(); };
  if (std::ranges::none_of(all, has)) return exit_agree;
  return std::ranges::all_of(all, [&](const Checked& c) { return !has(c) || hangs(c); }) ? exit_hang : exit_disagree;
}

void print_found(const Checked& checked) {
  for (const Hazard& hazard : checked.hazards) fmt::print("{}: {}\n", name(hazard.kind), hazard.sentence);
  fmt::print("  case   {}\n", print(checked.a_case));
}

int run(const HazardFlags& flags) {
  const bool json_only = flags.json == "-";
  if (!flags.json.empty()) expect_json_writable(flags.json);
  const HazardSearch search = search_of(flags);
  const auto all = search_hazards(search, progress_on_stderr(json_only));
  const int code = code_of(all);
  nlohmann::json failures = nlohmann::json::array();
  Index operations = 0, with_hazards = 0;
  for (const Checked& checked : all) {
    operations += checked.operations, with_hazards += checked.hazards.empty() ? 0 : 1;
    if (checked.hazards.empty() && flags.cases.empty()) continue;
    if (!json_only && !checked.hazards.empty()) print_found(checked);
    failures.push_back(to_json(checked));
  }
  const auto verdict = code == exit_agree ? "agree" : code == exit_hang ? "hang" : "disagree";
  if (!json_only)
    fmt::print("{} programs of {} operations, each with any number of repetitions: {} with hazards\nverdict: {}\n",
               all.size(), operations, with_hazards, verdict);
  if (!flags.json.empty())
    write_json({{"verdict", verdict},
                {"cases", all.size()},
                {"operations", operations},
                {"disagree", with_hazards},
                {"programs", failures}},
               flags.json);
  return code;
}

}  // namespace

void add_hazards(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<HazardFlags>();
  CLI::App* verb = app.add_subcommand(
      "hazards", "Races, deadlocks, memory without values, of a schedule: whatever the timing, without running it");
  verb->add_option("--case", flags->cases, "a case line; may be given several times");
  verb->add_option("--cases", flags->random_cases, "then how many random cases (0)")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{100'000'000}));
  add_seed(verb, flags->seed);
  verb->add_option("--fault", flags->fault, "sets the key fault of every case");
  verb->add_option("--threads", flags->threads, "how many threads check (0: one a core)")->check(CLI::Range(0, 1024));
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
