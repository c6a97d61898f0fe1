// lockstep report: one case as a picture, as an HTML file or in the terminal, and as a trace of what ran.
#include "oracle/campaign/memory_limit.h"
#include "oracle/cli/device.h"
#include "oracle/cli/exit_code.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/verbs.h"
#include "oracle/faults/strike.h"
#include "oracle/picture/html.h"
#include "oracle/picture/picture_of.h"
#include "oracle/picture/text.h"
#include "oracle/report/json_file.h"
#include "oracle/report/trace.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace lockstep {
namespace {

struct ReportFlags {
  std::string line;
  std::optional<std::string> html, trace;
  bool text = false, ran = false;
};

void expect_writable(std::string_view flag, const std::optional<std::string>& path) {
  if (path && path->empty())
    refuse("{} takes the name of a file, or - for standard output; an empty one is none", flag);
  if (path) expect_json_writable(*path);
}

Case case_of(const ReportFlags& flags) {
  const Case a_case = parse_case(flags.line);
  if (const std::string& fault = a_case.first().fault; !fault.empty()) fault_named(fault.substr(0, fault.find(':')));
  refuse_if_too_large(a_case);
  if (const std::string& fault = a_case.first().fault; !fault.empty() && !is_struck(a_case))
    refuse("fault={}: the case has no place for it, so there is nothing to show", fault);
  if (a_case.first().executor.kind == ExecutorKind::mpi)
    refuse("executor=mpi: a report is made by one process; take another executor");
  need_device_for(a_case);
  return a_case;
}

void write_trace(const Case& a_case, const std::string& path) {
  const Prepared prepared = prepare(a_case);
  const Program program = program_of(a_case);
  write_json(trace_of(program, order_of(program), ran(prepared, program).times), path);
}

bool is_text(const ReportFlags& flags) { return flags.text || (!flags.html && !flags.trace); }

int code_of(const Picture& picture) {
  if (picture.outcome == "hang") return exit_hang;
  return picture.outcome == "disagree" ? exit_disagree : picture.outcome == "agree" ? exit_agree : exit_blind;
}

int run(const ReportFlags& flags) {
  expect_writable("--html", flags.html), expect_writable("--trace", flags.trace);
  const Case a_case = case_of(flags);
  const Picture picture = picture_of(a_case, {.grid = {}, .timeline = {}, .as_it_ran = flags.ran});
  if (flags.html) write_result(html_of(picture), *flags.html);
  if (flags.trace && picture.timeline) write_trace(a_case, *flags.trace);
  if (flags.trace && !picture.timeline) refuse("--trace: a plan that is malformed does not run");
  if (is_text(flags)) {
    const Picture small = picture_of(a_case, {.grid = text_grid, .timeline = {}, .as_it_ran = flags.ran});
    fmt::print("{}", text_of(small, {.width = 100, .colour = isatty(STDOUT_FILENO) == 1}));
  }
  return code_of(picture);
}

}  // namespace

void add_report(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* verb = app.add_subcommand("report", "Show a case: what is wrong where, how large, and when");
  verb->add_option("--case", flags->line, "a case line")->required();
  verb->add_option("--html", flags->html, "write it as one HTML file; - for standard output");
  verb->add_flag("--text", flags->text, "in the terminal, which is so too where no file is asked for");
  verb->add_flag("--ran", flags->ran, "the timeline as a clock saw it, not by the model of costs");
  verb->add_option("--trace", flags->trace, "write what ran in Chrome's trace format; - for standard output");
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
