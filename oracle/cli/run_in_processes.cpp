#include "oracle/cli/run_in_processes.h"

#include "fused/mpi/team.h"
#include "oracle/cli/exit_code.h"
#include "oracle/cli/other_executable.h"
#include "oracle/cli/run_asked.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/report/progress.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <sstream>

namespace lockstep {
namespace {

// What a team has to say of its part: a line for each case, or what went wrong.
struct Said {
  static constexpr char wrong = '!';
  std::string text;
  std::exception_ptr trouble{};
};

Said said_of_part(const RunFlags& flags, Index which, Index teams) try {
  RunFlags own = flags;
  if (which > 0) own.json = own.html = own.junit = own.results = "";  // the first writes
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
    Asked asked = asked_by(flags, &judged);
    asked.options.seconds_before = stopwatch.seconds();
    code = run_asked(flags, asked);
  });
  return code;
}

// All processes of the job are one team; its leader runs the campaign, writes and says how it ended.
int run_in_one_team(const RunFlags& flags, const MpiJob& job, const JournalContents* resumed) {
  Team team = team_of(job, job.size);
  int code = exit_agree;
  in_team(team, [&] { code = run_asked(flags, asked_by(flags, resumed)); });
  return code;
}

}  // namespace

int run_in_processes(const RunFlags& flags, const JournalContents* resumed) {
  if (const std::string reason = why_no_mpi(); !reason.empty()) go_on_as("lockstep_mpi", "executor=mpi", reason);
  const MpiJob job{std::chrono::seconds(flags.case_timeout.value_or(60))};
  return flags.team ? run_in_teams(flags, job) : run_in_one_team(flags, job, resumed);
}

}  // namespace lockstep
