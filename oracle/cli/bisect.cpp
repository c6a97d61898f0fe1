// lockstep bisect: the first operation that goes wrong; or, for git bisect run, whether a case fails.
#include "oracle/diagnosis/bisect.h"

#include "oracle/cli/flags.h"
#include "oracle/cli/one_case.h"
#include "oracle/cli/verbs.h"
#include "oracle/diagnosis/short_line.h"
#include "oracle/faults/strike.h"
#include "oracle/report/json_file.h"
#include "oracle/report/standard_error.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace lockstep {
namespace {

struct BisectFlags {
  OneCase which;
  bool git = false;
  std::string json;
};

bool runs_elsewhere(const Case& a_case) {
  const Executor& executor = a_case.first().executor;
  return executor.device == RunsOn::cuda || executor.kind == ExecutorKind::threads;
}

std::string print(const Case& a_case, const Bisected& found) {
  if (found.culprit == Culprit::none)
    return fmt::format("the case does not fail, so there is nothing to bisect: judge {}\n", found.verdict.judge);
  std::string text = fmt::format("\n{} by judge {}: {}\n  case     {}\n", name(found.verdict.outcome),
                                 found.verdict.judge, found.verdict.finding, short_line(a_case));
  if (!found.operation.empty())
    text += fmt::format("  first    {}{}\n", found.operation, found.is_missing ? ", which is missing" : "");
  if (!found.does.empty()) text += fmt::format("  does     {}\n", found.does);
  text +=
      fmt::format("  wrong is {}: {}\n",
                  found.culprit == Culprit::operation ? "the operation" : fmt::format("the {}", name(found.culprit)),
                  found.sentence);
  if (found.looked_at > 0)
    text += fmt::format("  looked   at {} outputs of operations{}; the failure {}\n", found.looked_at,
                        runs_elsewhere(a_case) ? ", on the host, one after the other" : "",
                        found.is_same_failure ? "was the same meanwhile"
                                              : "was ANOTHER meanwhile: believe only what "
                                                "repeat shows");
  return text;
}

nlohmann::json to_json(const Case& a_case, const Bisected& found) {
  return {{"verdict", name(found.verdict.outcome)},
          {"case", lockstep::print(a_case)},
          {"judge", found.verdict.judge},
          {"finding", found.verdict.finding},
          {"culprit", name(found.culprit)},
          {"operation", found.operation},
          {"does", found.does},
          {"missing", found.is_missing},
          {"explanation", found.sentence},
          {"looked_at", found.looked_at},
          {"same_failure", found.is_same_failure}};
}

int run(const BisectFlags& flags) {
  if (!flags.json.empty()) expect_json_writable(flags.json);
  const Case a_case = read_one_case(flags.which);
  const Prepared prepared = prepare(a_case);
  const Bisected found = bisect(prepared, struck(prepared.correct, strike_of(a_case)));
  if (flags.json != "-") fmt::print("{}", print(a_case, found));
  if (!flags.json.empty()) write_json(to_json(a_case, found), flags.json);
  return code_of(found.verdict);
}

// git bisect run skips a commit at 125 and gives up at 128 and above: what says nothing about the commit is 125.
int for_git(const BisectFlags& flags) try {
  const int code = run(flags);
  return code == exit_agree || code == exit_disagree ? code : exit_could_not_run;
} catch (const Refusal& refusal) {
  say(fmt::format("lockstep: {}\n", refusal.what()));
  return exit_could_not_run;
}

}  // namespace

void add_bisect(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<BisectFlags>();
  CLI::App* verb = app.add_subcommand("bisect", "Name the first operation that goes wrong");
  add_one_case(verb, flags->which);
  verb->add_flag("--git", flags->git,
                 "for `git bisect run lockstep bisect --git --case LINE`: exit codes 2, 3 and 124 become 125");
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return flags->git ? for_git(*flags) : run(*flags); }; });
}

}  // namespace lockstep
