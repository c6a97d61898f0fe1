// lockstep db: failures that were saved.
#include "oracle/campaign/campaign.h"
#include "oracle/campaign/exit_code.h"
#include "oracle/campaign/saved_failures.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/one_case.h"
#include "oracle/cli/verbs.h"
#include "oracle/diagnosis/short_line.h"
#include "oracle/report/json_file.h"
#include "oracle/report/standard_error.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace lockstep {
namespace {

struct DbFlags {
  std::string folder{default_failure_folder}, json, name, as, to;
};

// What is wrong with a file does not keep the others from being used.
bool tell(const SavedFailures& saved) {
  for (const std::string& sentence : saved.refused) say(fmt::format("lockstep: {}\n", sentence));
  return !saved.refused.empty();
}

nlohmann::json to_json(const SavedFailure& failure) {
  return {{"name", failure.name},   {"case", print(failure.a_case)}, {"class", failure.kind},
          {"where", failure.where}, {"kernel", failure.kernel},      {"explanation", failure.sentence}};
}

std::string of_kernel(const SavedFailure& failure) {
  return failure.kernel.empty() ? "" : fmt::format("{:18}of the library {}\n", "", in_quotes(failure.kernel));
}

int list(const DbFlags& flags) {
  expect_json_writable(flags.json);
  const SavedFailures saved = saved_failures(flags.folder);
  nlohmann::json failures = nlohmann::json::array();
  for (const SavedFailure& failure : saved.all) {
    if (flags.json != "-")
      fmt::print("{}  {:<12} {}\n{:18}{}\n{}", failure.name, failure.kind, short_line(failure.a_case), "",
                 failure.sentence, of_kernel(failure));
    failures.push_back(to_json(failure));
  }
  const bool has_refused = tell(saved);
  if (flags.json != "-") fmt::print("{} saved failures in {}\n", saved.all.size(), flags.folder);
  if (!flags.json.empty()) write_json({{"failures", failures}, {"refused", saved.refused}}, flags.json);
  return has_refused ? exit_invalid : exit_agree;
}

// Those of libraries are refused.
SavedFailures of_ours(const std::string& folder) {
  SavedFailures saved = saved_failures(folder);
  std::erase_if(saved.all, [&](const SavedFailure& failure) {
    const std::string why = why_not_ours(failure, folder);
    if (!why.empty()) saved.refused.push_back(why);
    return !why.empty();
  });
  return saved;
}

int replay(const DbFlags& flags) {
  expect_json_writable(flags.json);
  const SavedFailures saved = of_ours(flags.folder);
  Campaign campaign;
  nlohmann::json cases = nlohmann::json::array();
  for (const SavedFailure& failure : saved.all) {
    campaign.results.push_back(run_case(runnable_case(print(failure.a_case))));
    const std::string_view outcome = name(campaign.results.back().verdict.outcome);
    if (flags.json != "-")
      fmt::print("{:<8}  {}  {:<12} {}\n", outcome, failure.name, failure.kind, short_line(failure.a_case));
    cases.push_back(to_json(failure));
    cases.back()["verdict"] = outcome;
  }
  const bool has_refused = tell(saved);
  const int code = exit_code(campaign, 1);
  if (flags.json != "-")
    fmt::print("{} saved failures: {} fail still, {} agree now\n", saved.all.size(),
               campaign.count(Outcome::disagree) + campaign.count(Outcome::hang), campaign.count(Outcome::agree));
  if (!flags.json.empty()) write_json({{"cases", cases}, {"refused", saved.refused}}, flags.json);
  return has_refused && code != exit_disagree && code != exit_hang ? exit_invalid : code;
}

int promote(const DbFlags& flags) {
  expect_json_writable(flags.json);
  const SavedFailure failure = saved_failure(flags.folder, flags.name);
  if (const std::string why = why_not_ours(failure, flags.folder); !why.empty()) refuse("{}", why);
  const std::string line = promoted_line(failure, flags.as.empty() ? failure.name : flags.as);
  if (!flags.to.empty()) lockstep::promote(flags.to, line);
  if (flags.json != "-") fmt::print("{}\n", line);
  if (!flags.json.empty()) write_json({{"line", line}, {"file", flags.to}, {"failure", to_json(failure)}}, flags.json);
  return exit_agree;
}

}  // namespace

void add_db(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<DbFlags>();
  CLI::App* verb = app.add_subcommand("db", "Failures that run --db saved");
  CLI::App* list_verb = verb->add_subcommand("list", "Print them");
  CLI::App* replay_verb = verb->add_subcommand("replay", "Judge them all again");
  CLI::App* promote_verb =
      verb->add_subcommand("promote", "Make one a named case, as a line that run --case-file reads");
  promote_verb->add_option("name", flags->name, "of the failure, or the beginning of it")->required();
  promote_verb->add_option("--as", flags->as, "what to call it (its name)");
  promote_verb->add_option("--to", flags->to, "append the line to this file");
  for (CLI::App* each : {list_verb, replay_verb, promote_verb}) {
    each->add_option("--db", flags->folder, fmt::format("the folder ({})", default_failure_folder));
    add_json(each, flags->json);
  }
  list_verb->callback([flags, &chosen] { chosen = [flags] { return list(*flags); }; });
  replay_verb->callback([flags, &chosen] { chosen = [flags] { return replay(*flags); }; });
  promote_verb->callback([flags, &chosen] { chosen = [flags] { return promote(*flags); }; });
}

}  // namespace lockstep
