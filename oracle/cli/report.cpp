// lockstep report: one case as a picture, as an HTML file or in the terminal, and as a trace of what ran.
#include "fused/plan/malformed.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/one_case.h"
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
  OneCase which;
  std::optional<std::string> html, trace;
  bool text = false, ran = false;
};

// Text where it is asked for, and where no file is.
bool is_text(const ReportFlags& flags) { return flags.text || (!flags.html && !flags.trace); }

int run(const ReportFlags& flags) {
  expect_file("--html", flags.html), expect_file("--trace", flags.trace);
  const Case a_case = read_one_case(flags.which);
  const Prepared prepared = prepare(a_case);
  const Program program = struck(prepared.correct, strike_of(a_case));
  if (flags.trace && malformed(program)) refuse("--trace: a plan that is malformed does not run");
  const Examined examined = examine_to_show(prepared, program);
  const auto picture = [&](const GridLimit& grid) {
    return picture_of(prepared, program, examined, {.grid = grid, .timeline = {}, .as_it_ran = flags.ran});
  };
  if (flags.html) write_result(html_of(picture({})), *flags.html);
  if (flags.trace) write_json(trace_of(program, order_of(program), ran(prepared, program).times), *flags.trace);
  if (is_text(flags))
    fmt::print("{}", text_of(picture(text_grid), {.width = 100, .colour = isatty(STDOUT_FILENO) == 1}));
  return code_of(examined.verdict);
}

}  // namespace

void add_report(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* verb = app.add_subcommand("report", "Show a case: what is wrong where, how large, and when");
  add_one_case(verb, flags->which);
  verb->add_option("--html", flags->html, "write it as one HTML file; - for standard output");
  verb->add_flag("--text", flags->text, "in the terminal, which is so too where no file is asked for");
  verb->add_flag("--ran", flags->ran, "the timeline as a clock saw it, not by the model of costs");
  verb->add_option("--trace", flags->trace, "write what ran in Chrome's trace format; - for standard output");
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
