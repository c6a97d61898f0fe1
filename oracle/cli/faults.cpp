// lockstep faults: the catalogue, the operators of generated mutants, and the mutation score.
#include "oracle/campaign/reduction_score.h"
#include "oracle/cli/exit_code.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/verbs.h"
#include "oracle/mutants/configurations.h"
#include "oracle/report/explanations.h"
#include "oracle/report/json.h"
#include "oracle/report/mutants.h"
#include "oracle/report/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <thread>

namespace lockstep {
namespace {

struct ScoreFlags {
  std::uint64_t seed = 0;
  std::int64_t cases = 2000, threads = 0, sample = 1;
  bool named = false, generated = false;  // these only
  bool explained = false, reduced = false;
  std::string json;
};

int list(const ScoreFlags& flags) {
  if (flags.json != "-") fmt::print("{}", print_catalogue());
  if (!flags.json.empty()) write_json(catalogue_json(), flags.json);
  return exit_agree;
}

int operators(const ScoreFlags& flags) {
  if (flags.json != "-") fmt::print("{}", print_operators());
  if (!flags.json.empty()) write_json(operators_json(), flags.json);
  return exit_agree;
}

// What each part of the score adds to the JSON, and whether all were seen.
bool score_named(const ScoreFlags& flags, std::int64_t threads, nlohmann::json& json) {
  const auto kills = score(flags.seed, flags.cases, threads);
  if (flags.json != "-")
    fmt::print("{}random cases from seed {}, at most {} a fault and judge\n", print_score(kills), flags.seed,
               flags.cases);
  json.update(to_json(kills));
  return std::ranges::all_of(kills, [](const Kill& kill) { return !kill.survives(); });
}

bool score_generated(const ScoreFlags& flags, std::int64_t threads, nlohmann::json& json) {
  const MutantScope scope{{std::begin(mutated_groups), std::end(mutated_groups)}, flags.sample};
  const MutantScore mutants = score_mutants(scope, threads);
  if (flags.json != "-") fmt::print("\n{}", print_mutants(mutants));
  json["generated"] = to_json(mutants);
  return mutants.passes();
}

// Of three failing cases a fault.
bool score_explanations(const ScoreFlags& flags, std::int64_t threads, nlohmann::json& json) {
  const auto all = explanation_score(flags.seed, 3, flags.cases, threads);
  if (flags.json != "-") fmt::print("\n{}", print_explanations(all));
  json["explanations"] = explanations_json(all);
  return share(all).passes();
}

// Of the first case of each fault that fails.
bool score_reductions(const ScoreFlags& flags, std::int64_t threads, nlohmann::json& json) {
  const auto all = reduction_score(fault_catalogue(), flags.seed, flags.cases, threads);
  if (flags.json != "-") fmt::print("\n{}", print_reductions(all));
  json["reductions"] = reductions_json(all);
  return std::ranges::all_of(all, &ReducedFault::passes);
}

int run_score(const ScoreFlags& flags) {
  const std::int64_t threads = flags.threads > 0 ? flags.threads : std::max(1u, std::thread::hardware_concurrency());
  expect_json_writable(flags.json);
  nlohmann::json json = nlohmann::json::object();
  bool all_seen = true;
  const bool is_of_diagnosis = flags.explained || flags.reduced;
  if (!flags.generated && !is_of_diagnosis) all_seen &= score_named(flags, threads, json);
  if (flags.explained) all_seen &= score_explanations(flags, threads, json);
  if (flags.reduced) all_seen &= score_reductions(flags, threads, json);
  if (!flags.named && !is_of_diagnosis) all_seen &= score_generated(flags, threads, json);
  if (!flags.json.empty()) write_json(json, flags.json);
  return all_seen ? exit_agree : exit_disagree;
}

}  // namespace

void add_faults(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<ScoreFlags>();
  CLI::App* verb = app.add_subcommand("faults", "The fault catalogue, and whether each fault is seen");
  CLI::App* list_verb = verb->add_subcommand("list", "Print the catalogue");
  CLI::App* operators_verb = verb->add_subcommand("operators", "Print what is done to which fields of a plan");
  CLI::App* score_verb = verb->add_subcommand(
      "score",
      "Put every fault in, and count the random cases until each judge sees it; then every single-field mutant");
  add_seed(score_verb, flags->seed);
  score_verb->add_option("--cases", flags->cases, "random cases a fault and judge at the most (2000)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  score_verb->add_option("--threads", flags->threads, "how many threads hunt (0: one a core)")
      ->check(CLI::Range(0, 1024));
  auto* named = score_verb->add_flag("--named", flags->named, "the faults of the catalogue only");
  score_verb->add_flag("--generated", flags->generated, "the single-field mutants of all schedules only")
      ->excludes(named);
  score_verb
      ->add_flag("--explain", flags->explained, "only whether explain gives each fault the right class and operation")
      ->excludes(named);
  score_verb
      ->add_flag("--reduce", flags->reduced,
                 "only whether reduce makes the first failure of each fault small, and explain then names the fault")
      ->excludes(named);
  score_verb->add_option("--sample", flags->sample, "of the generated mutants only every N-th of a schedule (1)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  for (CLI::App* each : {list_verb, operators_verb, score_verb}) add_json(each, flags->json);
  list_verb->callback([flags, &chosen] { chosen = [flags] { return list(*flags); }; });
  operators_verb->callback([flags, &chosen] { chosen = [flags] { return operators(*flags); }; });
  score_verb->callback([flags, &chosen] { chosen = [flags] { return run_score(*flags); }; });
}

}  // namespace lockstep
