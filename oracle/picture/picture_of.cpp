#include "oracle/picture/picture_of.h"

#include "fused/plan/malformed.h"
#include "fused/plan/print.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/diagnosis/short_line.h"
#include "oracle/diagnosis/where.h"
#include "oracle/faults/strike.h"
#include "oracle/hazards/hazards.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lockstep {
namespace {

constexpr std::size_t most_grids = 6, most_first = 12;
constexpr Index most_explained = Index{512} << 20;  // bytes that judging takes

bool is_too_large_to_explain(const Case& a_case) { return bytes_needed(a_case) > most_explained; }

std::vector<Step> titled(const Program& program, const std::string& wanted) {
  std::vector<Step> found;
  for (std::size_t call = 0; call < program.calls.size(); ++call)
    for (std::size_t op = 0; op < program.calls[call].ops.size(); ++op)
      if (fmt::format("call {}, {}", call, title(program.calls[call], program.calls[call].ops[op])) == wanted)
        found.push_back({static_cast<Index>(call), static_cast<Index>(op)});
  return found;
}

std::string details_of(const Program& program, const Step& step) {
  return details(plan_at(program, step), op_at(program, step));
}

// To judge it again, where it fails to go on from there, and to see what it does.
std::vector<Command> commands_for(const Case& a_case, const Verdict& verdict) {
  const std::string line = short_line(a_case);
  std::vector<Command> commands{{"judge it again", fmt::format("lockstep run --case '{}'", line)}};
  if (verdict.failed()) std::ranges::move(commands_to_go_on(a_case, verdict), std::back_inserter(commands));
  commands.push_back({"its schedule as a picture", fmt::format("lockstep plan --svg plan.svg --case '{}'", line)});
  commands.push_back({"what ran, by the clock", fmt::format("lockstep report --trace ran.json --case '{}'", line)});
  return commands;
}

// Of the program, or of it and itself once more, where the second round is what it is about.
struct Shown {
  Program program;
  Marks marks;
};

Shown shown(const Program& program, const Verdict& verdict, const std::optional<Step>& guilty) {
  Shown shown{program, {guilty, {}, verdict.comparison.ranks}};
  if (verdict.judge != "hazards") return shown;
  const Program twice = repeated(program);
  const auto found = hazards(twice, 1);
  if (found.empty()) return shown;
  shown.marks.hazard = found.front().operations;
  const auto is_second = [&](const Step& step) { return step.call >= std::ssize(program.calls); };
  if (std::ranges::any_of(shown.marks.hazard, is_second)) shown.program = twice;
  return shown;
}

void add_timeline(Picture& picture, const Prepared& prepared, const Program& program, const Verdict& verdict,
                  const PictureOptions& options) {
  const Shown shows = shown(program, verdict, operation_titled(program, prepared.correct, picture.guilty));
  const Order order = order_of(options.as_it_ran ? program : shows.program);
  const Times times = options.as_it_ran ? ran(prepared, program).times : planned_times(shows.program, order);
  Marks marks = shows.marks;
  if (options.as_it_ran)
    std::erase_if(marks.hazard, [&](const Step& step) { return step.call >= std::ssize(program.calls); });
  picture.timeline = timeline_of(options.as_it_ran ? program : shows.program, order, times, marks, options.timeline);
  if (!picture.guilty.empty() && !marks.guilty) picture.guilty += ", which is missing in this schedule";
}

void add_outputs(Picture& picture, const Case& a_case, const Program& program, const Verdict& verdict,
                 const PictureOptions& options) {
  const Outputs outputs = outputs_of(a_case, program, verdict);
  picture.grids = grids_of(outputs, options.grid);
  const auto is_right = [](const Grid& grid) { return grid.wrong == 0; };
  if (!std::ranges::all_of(picture.grids, is_right))
    std::erase_if(picture.grids, is_right);
  else if (verdict.failed())
    picture.not_shown.push_back("No element of the outputs is wrong in this run: what is wrong is in the schedule.");
  if (picture.grids.size() > most_grids) {
    picture.not_shown.push_back(fmt::format("{} outputs more are not shown.", picture.grids.size() - most_grids));
    picture.grids.resize(most_grids);
  }
  picture.first = first_wrong(outputs, most_first);
  picture.scatter = scatter_of(outputs);
  picture.utilisation = utilisation_of(outputs);
  if (!picture.utilisation) picture.not_shown.push_back("No bound is known for data with infinities and NaNs.");
}

void add_explanation(Picture& picture, const Case& a_case, const Explanation& explanation) {
  picture.why = explanation.sentence, picture.guilty = explanation.operation;
  for (const Reading& reading : explanation.readings) picture.readings.push_back(print(reading));
  if (is_too_large_to_explain(a_case))
    picture.not_shown.push_back(
        "The case is too large to try every fault on it: lockstep run makes it smaller and explains that.");
}

}  // namespace

std::optional<Step> operation_titled(const Program& program, const Program& correct, const std::string& wanted) {
  const std::vector<Step> candidates = titled(program, wanted), right = titled(correct, wanted);
  const auto is_known = [&](const Step& step) {
    return std::ranges::any_of(right,
                               [&](const Step& r) { return details_of(correct, r) == details_of(program, step); });
  };
  const auto odd = std::ranges::find_if_not(candidates, is_known);
  if (odd != candidates.end()) return *odd;
  if (candidates.empty() || candidates.size() < right.size()) return {};
  return candidates.front();
}

Examined examine_to_show(const Prepared& prepared, const Program& program) {
  if (!is_too_large_to_explain(prepared.a_case)) return examine(prepared, program);
  Examined examined{judge(prepared, program), {}};
  if (const std::string words = where(prepared.a_case, examined.verdict.comparison); !words.empty())
    examined.explanation.sentence = "wrong: " + words;
  return examined;
}

Picture picture_of(const Case& a_case, const PictureOptions& options) {
  const Prepared prepared = prepare(a_case);
  const Program program = struck(prepared.correct, strike_of(a_case));
  return picture_of(prepared, program, examine_to_show(prepared, program), options);
}

Picture picture_of(const Prepared& prepared, const Program& program, const Examined& examined,
                   const PictureOptions& options) {
  const Case& a_case = prepared.a_case;
  const Verdict& verdict = examined.verdict;
  Picture picture{.case_line = print(a_case), .outcome = std::string(name(verdict.outcome)), .judge = verdict.judge};
  picture.finding = verdict.finding;
  if (verdict.failed()) add_explanation(picture, a_case, examined.explanation);
  picture.commands = commands_for(a_case, verdict);
  if (malformed(program)) {
    picture.not_shown.push_back("The plan is malformed, so it has neither a timeline nor outputs.");
    return picture;
  }
  add_timeline(picture, prepared, program, verdict, options);
  if (hangs(program)) {
    picture.not_shown.push_back("The program hangs, so it has no outputs.");
  } else {
    add_outputs(picture, a_case, program, verdict, options);
  }
  return picture;
}

}  // namespace lockstep
