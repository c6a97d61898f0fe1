// lockstep run: a campaign. Explicit cases first, then random ones.
#include "oracle/campaign/saved_failures.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/run_asked.h"
#include "oracle/cli/run_in_processes.h"
#include "oracle/cli/verbs.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace lockstep {
namespace {

int run(RunFlags flags) {
  for (const std::string& file : flags.case_files)
    std::ranges::move(read_case_file(file), std::back_inserter(flags.cases));
  std::optional<JournalContents> resumed;
  if (flags.resume) take(flags, resumed.emplace(read_journal(*flags.resume)).header);
  const JournalContents* contents = resumed ? &*resumed : nullptr;
  const bool in_processes = asks_for_mpi(flags) && !flags.kernel;
  if (flags.team && !in_processes) refuse("--team {}: it goes with executor=mpi", *flags.team);
  return in_processes ? run_in_processes(flags, contents) : run_asked(flags, asked_by(flags, contents));
}

void add_journal(CLI::App* verb, RunFlags& flags) {
  CLI::Option* journal = verb->add_option("--journal", flags.journal, "a new file that keeps each result as it comes");
  CLI::Option* resume = verb->add_option(
      "--resume", flags.resume, "goes on with a journal, whose cases and settings are kept; no other is given");
  for (const char* other :
       {"--case", "--case-file", "--cases", "--seed", "--preset", "--full", "--overlap", "--layer", "--max-blind",
        "--keep-going", "--kernel", "--device", "--executor", "--fault", "--data", "--arithmetic", "--judge"})
    resume->excludes(verb->get_option(other));
  resume->excludes(journal);
  verb->add_flag("--isolate", flags.isolate, "judge in processes, so that a crash or a case without end is a verdict");
  verb->add_option("--case-timeout", flags.case_timeout,
                   "seconds that a case may take in a process of its own (600; of a --kernel 60), or in a job of MPI, "
                   "which ends with it (60)")
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option("--html", flags.html, "write the first failure, at its smallest, as a page of HTML");
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
      ->check(CLI::Range(Index{0}, max_random_cases));
  add_seed(verb, flags->seed);
  verb->add_option("--preset", flags->preset, "models: the row-parallel layers of real models");
  verb->add_flag("--full", flags->full, "the preset at full size, not divided by 64");
  for (std::string_view key : {"device", "executor", "fault", "data", "arithmetic", "judge"})
    verb->add_option(fmt::format("--{}", key), flags->keys[key],
                     fmt::format("sets the key {} of every case: {}", key, key_named(key).allowed));
  verb->add_option("--kernel", flags->kernel,
                   "a shared library whose kernel is judged in place of ours (oracle/kernel/lockstep_kernel.h)");
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
