#include "oracle/cli/run_asked.h"

#include "oracle/campaign/exit_code.h"
#include "oracle/campaign/saved_failures.h"
#include "oracle/campaign/stop.h"
#include "oracle/faults/strike.h"
#include "oracle/picture/html.h"
#include "oracle/picture/picture_of.h"
#include "oracle/report/json.h"
#include "oracle/report/junit.h"
#include "oracle/report/progress.h"
#include "oracle/report/results.h"
#include "oracle/report/standard_error.h"
#include "oracle/report/text.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>

namespace lockstep {
namespace {

std::string_view verdict(int code) {
  return code == exit_agree ? "agree" : code == exit_disagree ? "disagree" : code == exit_hang ? "hang" : "blind";
}

void print_all(const RunFlags& flags, const std::vector<ModelCase>& models, const Campaign& campaign, int code) {
  if (!models.empty()) fmt::print("{}\n", print_models(models, campaign));
  for (const Failure& failure : campaign.failures) fmt::print("{}\n", print(failure));
  fmt::print("{}{}", print_blind(campaign), print_summary(campaign));
  if (campaign.random_cases > 0) fmt::print("{} random cases from seed {}\n", campaign.random_cases, flags.seed);
  if (campaign.results.size() == 1) fmt::print("case: {}\n", print(campaign.results[0].a_case));
  if (campaign.stopped_by != 0) fmt::print("stopped by signal {} before its end\n", campaign.stopped_by);
  fmt::print("verdict: {}\n", verdict(code));
}

// How many of the files that a run writes are standard output.
Index on_standard_output(const RunFlags& flags) {
  return std::ranges::count(std::array{flags.json, flags.html, flags.junit, flags.results}, "-");
}

void expect_writable(const RunFlags& flags) {
  if (on_standard_output(flags) > 1)
    refuse("--json, --html, --junit, --results: one of them at most is -, which is standard output");
  for (const std::string& path : {flags.json, flags.html, flags.junit, flags.results}) expect_json_writable(path);
}

// Why a failure has no page; "" where it can have one.
std::string_view why_no_page(const Failure& failure) {
  if (failure.verdict.judge == "process") return "what ended the process that judged the first failure would end this";
  if (failure.shrunk.first().executor.kind == ExecutorKind::mpi) return "the first failure takes several processes";
  return "";
}

// As it was judged, though it may not fail again.
std::string page_of(const Failure& failure) {
  const Prepared prepared = prepare(failure.shrunk);
  const Program program = struck(prepared.correct, strike_of(failure.shrunk));
  return html_of(picture_of(prepared, program, {failure.verdict, failure.explanation}, {}));
}

void write_page(const Campaign& campaign, const std::string& path) {
  const std::string_view reason = campaign.failures.empty() ? "nothing failed" : why_no_page(campaign.failures.front());
  if (reason.empty())
    write_result(page_of(campaign.failures.front()), path);
  else
    say(fmt::format("lockstep: --html {}: not written: {}\n", in_quotes(path), reason));
}

}  // namespace

Asked asked_by(const RunFlags& flags, const JournalContents* resumed) {
  if (flags.preset && flags.preset != "models")
    refuse("--preset {}: the presets are: models", in_quotes(*flags.preset));
  if (!(flags.max_blind >= 0 && flags.max_blind <= 1))
    refuse("--max-blind {}: the share of blind cases is from 0 to 1", flags.max_blind);
  if (flags.full && !flags.preset) refuse("--full goes with --preset models: it is the preset at full size");
  Asked asked{!flags.preset ? std::vector<ModelCase>{} : model_cases(flags.full), {}};
  expect_writable(flags);
  asked.options = options_of(flags, asked.models);
  asked.options.resumed = resumed;
  need_device_for(asked.options);
  return asked;
}

std::unique_ptr<Journal> journal_of(const RunFlags& flags, const CampaignOptions& options) {
  if (flags.resume) return std::make_unique<Journal>(*flags.resume, *options.resumed);
  return flags.journal ? std::make_unique<Journal>(*flags.journal, header_of(flags, options)) : nullptr;
}

bool is_quiet(const RunFlags& flags) { return on_standard_output(flags) > 0; }

int run_asked(const RunFlags& flags, const Asked& asked) {
  const bool quiet = is_quiet(flags);
  CampaignOptions options = asked.options;
  const auto journal = journal_of(flags, options);
  options.journal = journal.get();
  std::optional<StopOnSignals> stops;
  if (options.may_fork) stops.emplace();
  const Campaign campaign = run_campaign(options, progress_on_stderr(quiet));
  if (flags.db)
    for (const Failure& failure : campaign.failures) save(*flags.db, failure);
  const int code = exit_code(campaign, flags.max_blind);
  if (!quiet) print_all(flags, asked.models, campaign, code);
  if (!flags.json.empty()) write_json(to_json(campaign, verdict(code)), flags.json);
  if (!flags.html.empty()) write_page(campaign, flags.html);
  if (!flags.junit.empty()) write_result(junit_of(campaign), flags.junit);
  if (!flags.results.empty()) write_result(results_of(campaign), flags.results);
  return campaign.stopped_by == 0 ? code : 128 + campaign.stopped_by;
}

}  // namespace lockstep
