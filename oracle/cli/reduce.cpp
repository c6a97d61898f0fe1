// lockstep reduce: the smallest case that fails in the same way.
#include "oracle/diagnosis/reduce.h"

#include "oracle/campaign/reduction_score.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/one_case.h"
#include "oracle/cli/verbs.h"
#include "oracle/report/json.h"
#include "oracle/report/text.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace lockstep {
namespace {

struct ReduceFlags {
  OneCase which;
  double seconds = 120;
  Index runs = 0;
  std::string json;
};

std::string print(const Rate& rate) { return fmt::format("{} of {} runs", rate.failed, rate.runs); }

std::string print(const Reduced& reduced) {
  std::string text = print(reduced.failure);
  text += fmt::format("  size     tp {}, {} output elements; found: tp {}, {}\n", reduced.failure.shrunk.first().tp,
                      output_elements(reduced.failure.shrunk), reduced.failure.found.first().tp,
                      output_elements(reduced.failure.found));
  if (reduced.found.is_flaky() || reduced.smallest.is_flaky())
    text += fmt::format("  flaky    the case given failed in {}, the smallest in {}\n", print(reduced.found),
                        print(reduced.smallest));
  return text + fmt::format("{} smaller cases tried in {:.2f} s{}\n", reduced.tried, reduced.seconds,
                            reduced.is_out_of_time ? ", when time was up: there may be a smaller one" : "");
}

nlohmann::json to_json(const Reduced& reduced) {
  nlohmann::json json = to_json(reduced.failure);
  const auto rate = [](const Rate& r) { return nlohmann::json{{"failed", r.failed}, {"runs", r.runs}}; };
  json.update({{"verdict", name(reduced.failure.verdict.outcome)},
               {"rate_found", rate(reduced.found)},
               {"rate", rate(reduced.smallest)},
               {"tp", reduced.failure.shrunk.first().tp},
               {"output_elements", output_elements(reduced.failure.shrunk)},
               {"tried", reduced.tried},
               {"seconds", reduced.seconds},
               {"out_of_time", reduced.is_out_of_time}});
  return json;
}

int run(const ReduceFlags& flags) {
  if (!(flags.seconds > 0)) refuse("--seconds {}: give more than 0", flags.seconds);
  if (!flags.json.empty()) expect_json_writable(flags.json);
  const Case a_case = read_one_case(flags.which);
  const auto reduced = reduce(a_case, {.most_seconds = flags.seconds, .runs = flags.runs});
  if (flags.json != "-")
    fmt::print("{}", reduced ? print(*reduced) : "the case does not fail, so there is nothing to reduce\n");
  if (!flags.json.empty())
    write_json(reduced ? to_json(*reduced) : nlohmann::json{{"verdict", "agree"}, {"case", print(a_case)}}, flags.json);
  return reduced ? code_of(reduced->failure.verdict) : exit_agree;
}

}  // namespace

void add_reduce(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<ReduceFlags>();
  CLI::App* verb = app.add_subcommand("reduce", "Find the smallest case that fails in the same way");
  add_one_case(verb, flags->which);
  verb->add_option("--seconds", flags->seconds, "how long to look for a smaller one (120)");
  verb->add_option("--runs", flags->runs,
                   "how often to judge a case whose failure may come and go (16 on threads and "
                   "on a device, else 1)")
      ->check(CLI::Range(Index{1}, Index{10'000}));
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
