#include "oracle/cli/run_in_processes.h"

#include "fused/mpi/dealt.h"
#include "oracle/cli/exit_code.h"
#include "oracle/cli/other_executable.h"
#include "oracle/cli/run_asked.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/report/progress.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>

namespace lockstep {
namespace {

// What a process has to say to the job: a line for each case that it judged, or what went wrong.
struct Said {
  static constexpr char wrong = '!';
  std::string text{};
  std::exception_ptr trouble{};
};

Said said_of(const std::function<std::string()>& work) try { return {work()}; } catch (const std::exception& error) {
  return {Said::wrong + std::string(error.what()), std::current_exception()};
}

// What all say; what went wrong in one of them the first process throws, and the others hear of nobody.
std::vector<std::string> all_said(const Team& team, const MpiJob& job, const Said& own) {
  std::vector<std::string> all = gather_in_job(team, own.text);
  const auto wrong = std::ranges::find_if(all, [](const std::string& said) { return said.starts_with(Said::wrong); });
  if (wrong == all.end()) return all;
  if (job.rank != 0) return {};
  if (own.trouble) std::rethrow_exception(own.trouble);
  throw DeviceError(
      fmt::format("the team from process {} on, of {}: {}", wrong - all.begin(), team.size, wrong->substr(1)));
}

// Of a team what it writes to, which the first process has opened for all.
struct Part {
  Asked asked;
  std::unique_ptr<Journal> journal{};
};

Part part_of(const RunFlags& flags, const MpiJob& job, const JournalContents* resumed) {
  if (job.rank == 0 && job.size % *flags.team != 0)
    refuse("--team {}: the job has {} processes, which is no multiple of it", *flags.team, job.size);
  RunFlags own = flags;
  if (job.rank != 0) own.json = own.html = own.junit = own.results = "";  // the first writes
  Part part{asked_by(own, resumed)};
  if (job.rank == 0) part.journal = journal_of(flags, part.asked.options);
  return part;
}

std::string judge_part(const RunFlags& flags, Part& part, Dealt& dealt, bool is_first) {
  const auto& path = flags.journal ? flags.journal : flags.resume;
  if (path && !is_first) part.journal = std::make_unique<Journal>(*path);
  part.asked.options.journal = part.journal.get();
  const Places places{[&] { return dealt.next(); }, [&] { dealt.end(); }};
  std::string lines = "\n";
  for (const auto& [number, result] :
       run_part(part.asked.options, places, progress_on_stderr(!is_first || is_quiet(flags))))
    lines += line_of(Record{number, result.a_case, result});
  return lines;
}

JournalContents with(JournalContents contents, const std::vector<std::string>& said) {
  for (const std::string& text : said) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      const Record record = record_of(line);
      contents.done.insert_or_assign(record.number, *record.result);
      contents.unfinished.erase(record.number);
    }
  }
  return contents;
}

// The teams share the cases that are left (fused/mpi/dealt.h); the first process gathers what they have judged, as if
// it had been resumed from a journal that has all, and goes on from there: it finds no case left, but what fails it
// explains.
int run_in_teams(const RunFlags& flags, const MpiJob& job, const JournalContents* resumed) {
  const Stopwatch stopwatch;
  Team team = team_of(job, std::min<Index>(*flags.team, job.size));
  Part part;
  const Said opened = said_of([&] { return part = part_of(flags, job, resumed), std::string(); });
  if (all_said(team, job, opened).empty()) return exit_agree;  // the first process says it
  Said judged;
  {
    Dealt dealt(team);
    in_team(team, [&] { judged = said_of([&] { return judge_part(flags, part, dealt, job.rank == 0); }); });
    part.journal.reset();
  }
  const std::vector<std::string> all = all_said(team, job, judged);
  int code = exit_agree;
  in_team(team, [&] {
    if (job.rank != 0) return;
    const JournalContents contents = with(resumed ? *resumed : JournalContents{}, all);
    RunFlags last = flags;
    last.journal.reset(), last.resume.reset();
    part.asked.options.resumed = &contents;
    part.asked.options.seconds_before = stopwatch.seconds();
    code = run_asked(last, part.asked);
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
  return flags.team ? run_in_teams(flags, job, resumed) : run_in_one_team(flags, job, resumed);
}

}  // namespace lockstep
