// lockstep run: a campaign. Explicit cases first, then random ones.
#include "fused/cuda/execute.h"
#include "fused/mpi/team.h"
#include "oracle/campaign/exit_code.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/campaign/models.h"
#include "oracle/campaign/saved_failures.h"
#include "oracle/cli/device.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/other_executable.h"
#include "oracle/cli/verbs.h"
#include "oracle/cli/with_overlap.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "oracle/report/json.h"
#include "oracle/report/progress.h"
#include "oracle/report/standard_error.h"
#include "oracle/report/text.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

namespace lockstep {
namespace {

struct RunFlags {
  std::vector<std::string> cases, case_files;
  std::int64_t random_cases = -1;  // -1: 100, or none where cases are given
  std::string json;
  std::uint64_t seed = 0;
  std::optional<std::string> preset, overlap, layer, db;
  std::map<std::string_view, std::optional<std::string>> keys;  // that a flag of the same name sets in every case
  bool full = false, keep_going = false;
  std::int64_t threads = 0;
  double max_blind = 0.01;
};

// Values are checked as in a case line.
void set_keys(Call& call, const RunFlags& flags) {
  for (const auto& [key, value] : flags.keys)
    if (value) key_named(key).set(call, *value);
}

Case parse_with_flags(const std::string& line, const RunFlags& flags) {
  Case a_case = with_overlap(parse_case(line), flags.overlap, flags.layer);
  for (Call& call : a_case.calls) set_keys(call, flags);
  validate(a_case);
  return a_case;
}

// What random cases would have to leave out of what was asked.
void check_fixed(const RunFlags& flags) {
  Call call;
  for (std::string_view key : {"data", "judge", "device", "executor"})
    if (const auto& value = flags.keys.at(key)) key_named(key).set(call, *value);
  call.tp = max_tp, call.world = call.judge == JudgeChoice::relations ? 0 : max_world;
  validate({{resolved(call)}});
}

Fixed fixed_by(const RunFlags& flags) {
  Call call;
  set_keys(call, flags);
  const auto given = [&](std::string_view key) { return flags.keys.at(key).has_value(); };
  Fixed fixed;
  if (given("executor")) fixed.executor = call.executor;
  if (given("data")) fixed.data = call.data;
  if (given("arithmetic")) fixed.arithmetic = call.arithmetic;
  fixed.device = call.executor.device;
  fixed.judge = call.judge;
  fixed.fault = call.fault;
  return fixed;
}

void check_fault(const std::string& fault) {
  if (!fault.empty()) fault_named(fault.substr(0, fault.find(':')));
}

void check_site(const Case& a_case) {
  const Strike strike = strike_of(a_case);
  if (!strike.fault) return;
  const Index sites = most_sites(*strike.fault, correct_program(a_case));
  if (sites == 0) refuse("fault={}: this case has no place for it", a_case.first().fault);
  if (strike.is_chosen && strike.site >= sites)
    refuse("fault={}: this case has {} site{} for it, counted from 0", a_case.first().fault, sites,
           sites == 1 ? "" : "s");
}

// Before anything runs: what one case cannot do should not cost the results of the others.
void check_case(const Case& a_case) try {
  check_fault(a_case.first().fault);
  refuse_if_too_large(a_case);
  check_site(a_case);
} catch (const Refusal& refusal) {
  refuse("--case {}: {}", in_quotes(print(a_case)), refusal.what());
}

// Told from the words, so that what is refused is refused once, by the process that leads.
bool asks_for_mpi(const RunFlags& flags) {
  const auto& executor = flags.keys.at("executor");
  const auto names_it = [](const std::string& line) { return line.find("executor=mpi") != line.npos; };
  return (executor && executor->starts_with("mpi")) || std::ranges::any_of(flags.cases, names_it);
}

// Saved failures are judged before all other cases that are given, as they are.
void add_saved(CampaignOptions& options, const std::string& folder, std::size_t after) {
  const SavedFailures saved = saved_failures(folder);
  for (const std::string& sentence : saved.refused) say(fmt::format("lockstep: {}\n", sentence));
  auto at = options.cases.begin() + static_cast<std::ptrdiff_t>(after);
  for (const SavedFailure& failure : saved.all) at = options.cases.insert(at, failure.a_case) + 1;
}

CampaignOptions options_of(const RunFlags& flags, const std::vector<ModelCase>& models) {
  CampaignOptions options;
  for (const ModelCase& model : models) options.cases.push_back(parse_with_flags(print(model.a_case), flags));
  for (const std::string& line : flags.cases) options.cases.push_back(parse_with_flags(line, flags));
  const bool only_given = flags.random_cases < 0 && !options.cases.empty();
  options.fixed = fixed_by(flags);
  options.random_cases = only_given ? 0 : flags.random_cases < 0 ? 100 : flags.random_cases;
  if (flags.overlap && options.random_cases > 0)
    refuse("--overlap {}: a configuration goes with the cases of --case or --preset, not with random ones",
           in_quotes(*flags.overlap));
  if (const auto& key = flags.keys.at("data"); options.random_cases > 0 && key && is_coded(*options.fixed.data))
    refuse(
        "--data {}: random cases take planted or data that are not exact, since few layers can be shown by {}; give it "
        "a --case",
        *key, *key);
  if (options.random_cases > 0) check_fixed(flags);
  options.seed = flags.seed;
  options.keep_going = flags.keep_going;
  options.threads = flags.threads;
  if (asks_for_mpi(flags)) {
    if (flags.threads > 1)
      refuse("--threads {}: with executor=mpi one thread judges, the one that calls MPI", flags.threads);
    options.threads = 1;
  }
  if (flags.db) add_saved(options, *flags.db, models.size());
  check_fault(options.fixed.fault);
  for (const Case& a_case : options.cases) check_case(a_case);
  return options;
}

// What the device cannot run is refused before anything runs, too.
void need_device_for(const CampaignOptions& options) {
  if (options.fixed.device == RunsOn::cuda && options.random_cases > 0) need_device();
  for (const Case& a_case : options.cases) {
    if (a_case.first().executor.device != RunsOn::cuda) continue;
    need_device();
    if (const std::string reason = why_not_on_device(correct_program(a_case)); !reason.empty())
      refuse("--case {}: {}", in_quotes(print(a_case)), reason);
  }
}

std::string_view verdict(int code) {
  return code == exit_agree ? "agree" : code == exit_disagree ? "disagree" : code == exit_hang ? "hang" : "blind";
}

void print_all(const RunFlags& flags, const std::vector<ModelCase>& models, const Campaign& campaign, int code) {
  if (!models.empty()) fmt::print("{}\n", print_models(models, campaign));
  for (const Failure& failure : campaign.failures) fmt::print("{}\n", print(failure));
  fmt::print("{}{}", print_blind(campaign), print_summary(campaign));
  if (campaign.random_cases > 0) fmt::print("{} random cases from seed {}\n", campaign.random_cases, flags.seed);
  if (campaign.results.size() == 1) fmt::print("case: {}\n", print(campaign.results[0].a_case));
  fmt::print("verdict: {}\n", verdict(code));
}

int run_here(const RunFlags& flags) {
  if (flags.preset && flags.preset != "models")
    refuse("--preset {}: the presets are: models", in_quotes(*flags.preset));
  if (!(flags.max_blind >= 0 && flags.max_blind <= 1))
    refuse("--max-blind {}: the share of blind cases is from 0 to 1", flags.max_blind);
  if (flags.full && !flags.preset) refuse("--full goes with --preset models: it is the preset at full size");
  const auto models = !flags.preset ? std::vector<ModelCase>{} : model_cases(flags.full);
  const bool json_only = flags.json == "-";
  if (!flags.json.empty()) expect_json_writable(flags.json);
  const CampaignOptions options = options_of(flags, models);
  need_device_for(options);
  const Campaign campaign = run_campaign(options, progress_on_stderr(json_only));
  if (flags.db)
    for (const Failure& failure : campaign.failures) save(*flags.db, failure);
  const int code = exit_code(campaign, flags.max_blind);
  if (!json_only) print_all(flags, models, campaign, code);
  if (!flags.json.empty()) write_json(to_json(campaign, verdict(code)), flags.json);
  return code;
}

// All processes of the job are one team; its leader runs the campaign, writes and says how it ended.
int run_in_processes(const RunFlags& flags) {
  if (const std::string reason = why_no_mpi(); !reason.empty()) go_on_as("lockstep_mpi", "executor=mpi", reason);
  const MpiJob job;
  Team team = team_of(job, job.size);
  int code = exit_agree;
  in_team(team, [&] { code = run_here(flags); });
  return code;
}

int run(RunFlags flags) {
  for (const std::string& file : flags.case_files)
    std::ranges::move(read_case_file(file), std::back_inserter(flags.cases));
  return asks_for_mpi(flags) ? run_in_processes(flags) : run_here(flags);
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* verb = app.add_subcommand("run", "Judge explicit cases, then random ones");
  verb->add_option("--case", flags->cases, "a case line; may be given several times");
  verb->add_option("--case-file", flags->case_files, "a file with a case on each line, # begins a comment");
  verb->add_option("--db", flags->db, "a folder where failures are saved; those that are there are judged first");
  verb->add_option("--cases", flags->random_cases,
                   "how many random cases (100, or none where --case or --preset is given)")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
  add_seed(verb, flags->seed);
  verb->add_option("--preset", flags->preset, "models: the row-parallel layers of real models");
  verb->add_flag("--full", flags->full, "the preset at full size, not divided by 64");
  for (std::string_view key : {"device", "executor", "fault", "data", "arithmetic", "judge"})
    verb->add_option(fmt::format("--{}", key), flags->keys[key],
                     fmt::format("sets the key {} of every case: {}", key, key_named(key).allowed));
  verb->add_option("--overlap", flags->overlap, "a Userbuffers configuration (JSON): how the given cases overlap");
  verb->add_option("--layer", flags->layer, "which layer of it: proj or fc2 (row), qkv or fc1 (column)");
  verb->add_option("--threads", flags->threads, "how many threads judge (0: one a core)")->check(CLI::Range(0, 1024));
  verb->add_option("--max-blind", flags->max_blind, "the share of blind cases beyond which the run is blind (0.01)");
  verb->add_flag("--keep-going", flags->keep_going, "do not stop at the first failure");
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
