// lockstep run: a campaign. Explicit cases first, then random ones.
#include "fused/mpi/team.h"
#include "oracle/campaign/exit_code.h"
#include "oracle/campaign/saved_failures.h"
#include "oracle/campaign/stop.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/other_executable.h"
#include "oracle/cli/run_flags.h"
#include "oracle/cli/verbs.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/report/json.h"
#include "oracle/report/junit.h"
#include "oracle/report/progress.h"
#include "oracle/report/results.h"
#include "oracle/report/text.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <sstream>

namespace lockstep {
namespace {

std::string_view verdict(int code) {
  return code == exit_agree ? "agree" : code == exit_disagree ? "disagree" : code == exit_hang ? "hang" : "blind";
}

void print_all(const RunFlags& flags, const std::vector<ModelCase>& models, const Campaign& campaign, int code) {
  if (!models.empty()) fmt::print("{}\n", print_models(models, campaign));
  for (const Failure& failure : campaign.failures) fmt::print("{}\n", print(failure));
  fmt::print("{}{}", print_blind(campaign), print_summary(campaign));
  if (campaign.random_cases > 0) fmt::print("{} random cases from seed {}\n", campaign.random_cases, flags.seed);
  if (campaign.results.size() == 1) fmt::print("case: {}\n", print(campaign.results[0].a_case));
  if (campaign.stopped_by != 0) fmt::print("stopped by signal {} before its end\n", campaign.stopped_by);
  fmt::print("verdict: {}\n", verdict(code));
}

void expect_writable(const RunFlags& flags) {
  if (!flags.json.empty()) expect_json_writable(flags.json);
  if (flags.junit == "-" && flags.json == "-") refuse("--json -, --junit -: one of them goes to a file");
  if (!flags.junit.empty()) expect_json_writable(flags.junit);
  expect_json_writable(flags.results);
}

// A journal that is new, that goes on, or none.
std::unique_ptr<Journal> journal_of(const RunFlags& flags, const CampaignOptions& options) {
  if (flags.resume) return std::make_unique<Journal>(*flags.resume, *options.resumed);
  return flags.journal ? std::make_unique<Journal>(*flags.journal, header_of(flags, options)) : nullptr;
}

struct Asked {
  std::vector<ModelCase> models;
  CampaignOptions options;
};

// Refuses what cannot be done, before anything runs.
Asked asked_by(const RunFlags& flags) {
  if (flags.preset && flags.preset != "models")
    refuse("--preset {}: the presets are: models", in_quotes(*flags.preset));
  if (!(flags.max_blind >= 0 && flags.max_blind <= 1))
    refuse("--max-blind {}: the share of blind cases is from 0 to 1", flags.max_blind);
  if (flags.full && !flags.preset) refuse("--full goes with --preset models: it is the preset at full size");
  Asked asked{!flags.preset ? std::vector<ModelCase>{} : model_cases(flags.full), {}};
  expect_writable(flags);
  asked.options = options_of(flags, asked.models);
  need_device_for(asked.options);
  return asked;
}

bool is_quiet(const RunFlags& flags) { return flags.json == "-" || flags.junit == "-" || flags.results == "-"; }

int run_asked(const RunFlags& flags, const Asked& asked) {
  const bool quiet = is_quiet(flags);
  CampaignOptions options = asked.options;
  const auto journal = journal_of(flags, options);
  options.journal = journal.get();
  std::optional<StopOnSignals> stops;
  if (options.may_fork) stops.emplace();
  const Campaign campaign = run_campaign(options, progress_on_stderr(quiet));
  if (flags.db)
    for (const Failure& failure : campaign.failures) save(*flags.db, failure);
  const int code = exit_code(campaign, flags.max_blind);
  if (!quiet) print_all(flags, asked.models, campaign, code);
  if (!flags.json.empty()) write_json(to_json(campaign, verdict(code)), flags.json);
  if (!flags.junit.empty()) write_result(junit_of(campaign), flags.junit);
  if (!flags.results.empty()) write_result(results_of(campaign), flags.results);
  return campaign.stopped_by == 0 ? code : 128 + campaign.stopped_by;
}

int run_here(const RunFlags& flags, const JournalContents* resumed) {
  Asked asked = asked_by(flags);
  asked.options.resumed = resumed;
  return run_asked(flags, asked);
}

// What a team has to say of its part: a line for each case, or what went wrong.
struct Said {
  static constexpr char wrong = '!';
  std::string text;
  std::exception_ptr trouble{};
};

Said said_of_part(const RunFlags& flags, Index which, Index teams) try {
  RunFlags own = flags;
  if (which > 0) own.json = own.junit = own.results = "";  // the first writes
  const auto part = run_part(asked_by(own).options, which, teams, progress_on_stderr(which > 0 || is_quiet(flags)));
  std::string lines = "\n";
  for (const auto& [number, result] : part) lines += line_of(Record{number, result.a_case, result});
  return {lines};
} catch (const std::exception& error) {
  return {Said::wrong + std::string(error.what()), std::current_exception()};
}

// What all teams have judged; throws what went wrong in one.
JournalContents contents_of(const std::vector<std::string>& said, Index members) {
  JournalContents all;
  for (std::size_t process = 0; process < said.size(); ++process) {
    if (said[process].starts_with(Said::wrong))
      throw DeviceError(
          fmt::format("the team from process {} on, of {}: {}", process, members, said[process].substr(1)));
    std::istringstream lines(said[process]);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      const Record record = record_of(line);
      all.done.emplace(record.number, *record.result);
    }
  }
  return all;
}

void check_teams(const RunFlags& flags, const MpiJob& job) {
  if (job.size % *flags.team != 0)
    refuse("--team {}: the job has {} processes, which is no multiple of it", *flags.team, job.size);
  if (flags.journal || flags.resume)
    refuse("--team {}: a journal is of one team; leave out --journal, --resume or --team", *flags.team);
}

// Case number i is judged by team i mod the number of teams; the first process gathers what they have judged, as if it
// had been resumed from a journal that has all, and goes on from there: it finds no case left, but what fails it
// explains.
int run_in_teams(const RunFlags& flags, const MpiJob& job) {
  if (job.rank == 0) check_teams(flags, job);
  if (job.size % *flags.team != 0 || flags.journal || flags.resume) return exit_agree;  // the first process says it
  const Stopwatch stopwatch;
  Team team = team_of(job, *flags.team);
  Said said;
  in_team(team, [&] { said = said_of_part(flags, job.rank / team.size, job.size / team.size); });
  const std::vector<std::string> all = gather_in_job(team, said.text);
  int code = exit_agree;
  in_team(team, [&] {
    if (job.rank != 0) return;
    if (said.trouble) std::rethrow_exception(said.trouble);
    const JournalContents judged = contents_of(all, team.size);
    Asked asked = asked_by(flags);
    asked.options.resumed = &judged, asked.options.seconds_before = stopwatch.seconds();
    code = run_asked(flags, asked);
  });
  return code;
}

// All processes of the job are one team; its leader runs the campaign, writes and says how it ended.
int run_in_one_team(const RunFlags& flags, const MpiJob& job, const JournalContents* resumed) {
  Team team = team_of(job, job.size);
  int code = exit_agree;
  in_team(team, [&] { code = run_here(flags, resumed); });
  return code;
}

int run_in_processes(const RunFlags& flags, const JournalContents* resumed) {
  if (const std::string reason = why_no_mpi(); !reason.empty()) go_on_as("lockstep_mpi", "executor=mpi", reason);
  const MpiJob job{std::chrono::seconds(flags.case_timeout.value_or(60))};
  return flags.team ? run_in_teams(flags, job) : run_in_one_team(flags, job, resumed);
}

int run(RunFlags flags) {
  for (const std::string& file : flags.case_files)
    std::ranges::move(read_case_file(file), std::back_inserter(flags.cases));
  std::optional<JournalContents> resumed;
  if (flags.resume) take(flags, resumed.emplace(read_journal(*flags.resume)).header);
  const JournalContents* contents = resumed ? &*resumed : nullptr;
  const bool in_processes = asks_for_mpi(flags);
  if (flags.team && !in_processes) refuse("--team {}: it goes with executor=mpi", *flags.team);
  return in_processes ? run_in_processes(flags, contents) : run_here(flags, contents);
}

void add_journal(CLI::App* verb, RunFlags& flags) {
  CLI::Option* journal = verb->add_option("--journal", flags.journal, "a new file that keeps each result as it comes");
  CLI::Option* resume = verb->add_option(
      "--resume", flags.resume, "goes on with a journal, whose cases and settings are kept; no other is given");
  for (const char* other :
       {"--case", "--case-file", "--cases", "--seed", "--preset", "--full", "--overlap", "--layer", "--max-blind",
        "--keep-going", "--device", "--executor", "--fault", "--data", "--arithmetic", "--judge"})
    resume->excludes(verb->get_option(other));
  resume->excludes(journal);
  verb->add_flag("--isolate", flags.isolate, "judge in processes, so that a crash or a case without end is a verdict");
  verb->add_option(
          "--case-timeout", flags.case_timeout,
          "seconds that a case may take in a process of its own (600), or in a job of MPI (60), which ends with it")
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option("--junit", flags.junit, "also write the result as JUnit's XML; - for standard output");
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
  verb->add_option("--results", flags->results,
                   "also write each case with its verdict and a hash of its outputs, a line each");
  verb->add_option("--team", flags->team,
                   "with executor=mpi: teams of so many processes judge the cases (one team of all)")
      ->check(CLI::Range(1, 1'000'000));
  add_journal(verb, *flags);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
