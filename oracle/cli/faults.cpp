// lockstep faults: the catalogue, and the mutation score.
#include "oracle/cli/exit_code.h"
#include "oracle/cli/verbs.h"
#include "oracle/report/json.h"
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
  std::int64_t cases = 2000, threads = 0;
  std::string json;
};

int list(const ScoreFlags& flags) {
  if (flags.json != "-") fmt::print("{}", print_catalogue());
  if (!flags.json.empty()) write_json(catalogue_json(), flags.json);
  return exit_agree;
}

int run_score(const ScoreFlags& flags) {
  const std::int64_t threads = flags.threads > 0 ? flags.threads : std::max(1u, std::thread::hardware_concurrency());
  const auto kills = score(flags.seed, flags.cases, threads);
  if (flags.json != "-")
    fmt::print("{}random cases from seed {}, at most {} a fault and judge\n", print_score(kills), flags.seed,
               flags.cases);
  if (!flags.json.empty()) write_json(to_json(kills), flags.json);
  return std::ranges::all_of(kills, [](const Kill& kill) { return !kill.survives(); }) ? exit_agree : exit_disagree;
}

}  // namespace

void add_faults(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<ScoreFlags>();
  CLI::App* verb = app.add_subcommand("faults", "The fault catalogue, and whether each fault is seen");
  CLI::App* list_verb = verb->add_subcommand("list", "Print the catalogue");
  CLI::App* score_verb =
      verb->add_subcommand("score", "Put every fault in, and count the random cases until each judge sees it");
  score_verb->add_option("--seed", flags->seed, "of the random cases (0)")->check(CLI::NonNegativeNumber);
  score_verb->add_option("--cases", flags->cases, "random cases a fault and judge at the most (2000)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  score_verb->add_option("--threads", flags->threads, "how many threads hunt (0: one a core)")
      ->check(CLI::Range(0, 1024));
  for (CLI::App* each : {list_verb, score_verb})
    each->add_option("--json", flags->json, "also write the result as JSON; - for standard output");
  list_verb->callback([flags, &chosen] { chosen = [flags] { return list(*flags); }; });
  score_verb->callback([flags, &chosen] { chosen = [flags] { return run_score(*flags); }; });
}

}  // namespace lockstep
