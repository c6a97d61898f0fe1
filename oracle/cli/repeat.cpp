// lockstep repeat: one case over and over, its executor's seed moving on.
#include "oracle/campaign/repeat.h"

#include "oracle/cli/flags.h"
#include "oracle/cli/one_case.h"
#include "oracle/cli/verbs.h"
#include "oracle/report/json_file.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <memory>

namespace lockstep {
namespace {

struct RepeatFlags {
  OneCase which;
  std::string until = "fail", json;
  double seconds = 600;
};

RepeatOptions options_of(const RepeatFlags& flags) {
  constexpr Index most = 1'000'000'000;
  if (!(flags.seconds > 0)) refuse("--seconds {}: give more than 0", flags.seconds);
  RepeatOptions options{.runs = most, .until_it_fails = flags.until == "fail", .most_seconds = flags.seconds};
  if (options.until_it_fails) return options;
  const char* end = flags.until.data() + flags.until.size();
  const auto [at, error] = std::from_chars(flags.until.data(), end, options.runs);
  if (error != std::errc{} || at != end || options.runs < 1 || options.runs > most)
    refuse("--until {}: allowed is fail, or a number of runs from 1 to {}", in_quotes(flags.until), most);
  return options;
}

bool always_the_same(const Case& a_case) {
  const Executor& executor = a_case.first().executor;
  return !takes_seed(executor.kind) && executor.device == RunsOn::host;
}

std::string print(const Case& a_case, const Repeated& repeated) {
  const Rate& rate = repeated.rate;
  std::string text;
  if (rate.failed > 0)
    text = fmt::format("\n{} by judge {}: {}\n  first    lockstep run --case '{}'\n", name(repeated.verdict.outcome),
                       repeated.verdict.judge, repeated.verdict.finding, print(repeated.first));
  text += fmt::format("{} of {} runs failed ({:.3g} %) in {:.2f} s\n", rate.failed, rate.runs,
                      100.0 * static_cast<double>(rate.failed) / static_cast<double>(rate.runs), repeated.seconds);
  // The rule of three: what happens in one of n runs is missed by 3 n runs with a probability of 5 %.
  if (rate.failed == 0 && rate.runs >= 3 && !always_the_same(a_case))
    text += fmt::format("with 95 % confidence it fails in less than one of {} runs\n", rate.runs / 3);
  if (always_the_same(a_case))
    text += "on the host this executor takes no seed, so every run is the same: threads, adversary and pct take one\n";
  return text;
}

int run(const RepeatFlags& flags) {
  const RepeatOptions options = options_of(flags);
  if (!flags.json.empty()) expect_json_writable(flags.json);
  const Case a_case = read_one_case(flags.which);
  const Repeated repeated = repeat(a_case, options);
  if (flags.json != "-") fmt::print("{}", print(a_case, repeated));
  const bool failed = repeated.rate.failed > 0;
  const std::string_view verdict = failed ? name(repeated.verdict.outcome) : "agree";
  if (!flags.json.empty())
    write_json({{"verdict", verdict},
                {"case", print(a_case)},
                {"runs", repeated.rate.runs},
                {"failed", repeated.rate.failed},
                {"first", failed ? print(repeated.first) : ""},
                {"finding", repeated.verdict.finding},
                {"seconds", repeated.seconds}},
               flags.json);
  return failed ? code_of(repeated.verdict) : exit_agree;
}

}  // namespace

void add_repeat(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<RepeatFlags>();
  CLI::App* verb = app.add_subcommand("repeat", "Judge one case over and over, its executor's seed moving on");
  add_one_case(verb, flags->which);
  verb->add_option("--until", flags->until, "fail: up to the first failure (the default); or how many runs");
  verb->add_option("--seconds", flags->seconds, "how long at the most (600)");
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
