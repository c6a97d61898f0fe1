// lockstep_shootout: the acceptance rules of other projects beside Lockstep's judges, over the whole fault catalogue,
// and the findings about them, measured anew.
#include "bench/shootout/report.h"
#include "oracle/cli/exit_code.h"
#include "oracle/report/json_file.h"
#include "oracle/report/standard_error.h"
#include "reference/contract/refusal.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <thread>

namespace lockstep::shootout {
namespace {

struct Flags {
  Options options;
  std::string json;
};

void add_options(CLI::App& app, Flags& flags) {
  Options& options = flags.options;
  app.add_option("--json", flags.json, "also write the result as JSON; - for standard output, in place of the text");
  app.add_option("--seed", options.seed, "of data, sites and random cases (0)")->check(CLI::NonNegativeNumber);
  app.add_option("--only", options.only, "one rule, by its name; without the findings");
  app.add_option("--fault", options.fault, "one fault, by its id; without the findings");
  app.add_flag("--quick", options.quick, "the rules and findings that take a minute together");
  app.add_option("--threads", options.threads, "how many threads (0: one a core)")->check(CLI::Range(0, 1024));
}

int run(Flags flags) {
  Options& options = flags.options;
  expect_json_writable(flags.json);
  if (options.threads == 0) options.threads = std::max(1u, std::thread::hardware_concurrency());
  const bool text = flags.json != "-";
  const Table table = compare(options);
  if (text) fmt::print("{}", print(table));
  const bool whole = options.only.empty() && options.fault.empty();
  const std::vector<Finding> findings = whole ? find(options) : std::vector<Finding>{};
  if (text && whole) fmt::print("{}", print(findings));
  if (!flags.json.empty()) write_json(to_json(table, findings), flags.json);
  if (std::fflush(stdout) != 0) refuse("standard output cannot be written, so the result is lost");
  return std::ranges::all_of(findings, &Finding::reproduced) ? exit_agree : exit_disagree;
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Puts the acceptance rules of other projects beside Lockstep's judges, fault by fault.",
               "lockstep_shootout");
  app.footer(
      "Exit codes: 0 every finding is reproduced, 1 one is not, 2 invalid usage or a rule that rejects the correct "
      "plan, 125 could not run.");
  Flags flags;
  flags.options.threads = 0;
  add_options(app, flags);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_agree : exit_invalid;
  }
  return run(std::move(flags));
}

}  // namespace
}  // namespace lockstep::shootout

int main(int argc, char** argv) try {
  return lockstep::shootout::parse_and_run(argc, argv);
} catch (const lockstep::Refusal& refusal) {
  lockstep::say(fmt::format("lockstep_shootout: {}\n", refusal.what()));
  return lockstep::exit_invalid;
} catch (const std::exception& error) {
  lockstep::say(fmt::format("lockstep_shootout: it could not run: {}\n", error.what()));
  return lockstep::exit_could_not_run;
}
