// lockstep plan: prints the schedule of a case, its fault included, and draws its timeline.
#include "fused/plan/malformed.h"
#include "fused/plan/print.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/cli/exit_code.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/verbs.h"
#include "oracle/cli/with_overlap.h"
#include "oracle/faults/strike.h"
#include "oracle/picture/svg.h"
#include "oracle/report/json.h"
#include "oracle/report/standard_error.h"
#include "oracle/report/trace.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace lockstep {
namespace {

struct PlanFlags {
  std::string line;
  std::string json;
  std::optional<std::string> trace, svg, overlap, layer;
};

nlohmann::json plan_json(const Plan& plan) {
  nlohmann::json ops = nlohmann::json::array();
  for (const PlanOp& op : plan.ops)
    ops.push_back({{"title", title(plan, op)},
                   {"rank", op.rank},
                   {"lane", plan.lanes[static_cast<std::size_t>(op.lane)]},
                   {"split", op.split},
                   {"does", details(plan, op)},
                   {"after", op.after}});
  return ops;
}

std::string svg_of(const Case& a_case, const Program& program, int code) {
  if (code != exit_agree) refuse("--svg: a plan that is malformed has no timeline");
  const Order order = order_of(program);
  return standalone_svg(timeline_of(program, order, planned_times(program, order), {}), print(a_case));
}

int run(const PlanFlags& flags) {
  const Case a_case = with_overlap(parse_case(flags.line), flags.overlap, flags.layer);
  refuse_if_too_large(a_case);
  if (!flags.json.empty()) expect_json_writable(flags.json);
  expect_file("--trace", flags.trace), expect_file("--svg", flags.svg);
  const Program program = program_of(a_case);
  const bool to_stdout = flags.json == "-" || flags.trace == "-" || flags.svg == "-";
  nlohmann::json calls = nlohmann::json::array();
  int code = exit_agree;
  for (std::size_t which = 0; which < program.calls.size(); ++which) {
    const Plan& plan = program.calls[which];
    if (!to_stdout) fmt::print("call {}\n{}", which, print(plan));
    calls.push_back(plan_json(plan));
    if (const auto finding = malformed(plan)) {
      say(fmt::format("lockstep: call {}: {}\n", which, *finding));
      code = exit_disagree;
    }
  }
  if (!to_stdout) fmt::print("case: {}\n", print(a_case));
  if (!flags.json.empty()) write_json({{"case", print(a_case)}, {"calls", calls}}, flags.json);
  if (flags.trace) write_json(trace_of(program), *flags.trace);
  if (flags.svg) write_result(svg_of(a_case, program, code), *flags.svg);
  return code;
}

}  // namespace

void add_plan(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<PlanFlags>();
  CLI::App* verb = app.add_subcommand("plan", "Print the schedule of a case");
  verb->add_option("--case", flags->line, "a case line")->required();
  verb->add_option("--trace", flags->trace, "write a timeline in Chrome's trace format; - for standard output");
  verb->add_option("--svg", flags->svg, "draw the timeline as a picture; - for standard output");
  verb->add_option("--overlap", flags->overlap, "a Userbuffers configuration (JSON): how the layer overlaps");
  verb->add_option("--layer", flags->layer, "which layer of it: proj or fc2 (row), qkv or fc1 (column)");
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
