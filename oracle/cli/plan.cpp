// lockstep plan: prints the schedule of a case, its fault included.
#include "fused/plan/malformed.h"
#include "fused/plan/print.h"
#include "oracle/campaign/memory_limit.h"
#include "oracle/cli/exit_code.h"
#include "oracle/cli/verbs.h"
#include "oracle/faults/strike.h"
#include "oracle/report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace lockstep {
namespace {

struct PlanFlags {
  std::string line, json;
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

int run(const PlanFlags& flags) {
  const Case a_case = parse_case(flags.line);
  refuse_if_too_large(a_case);
  const Program program = program_of(a_case);
  nlohmann::json calls = nlohmann::json::array();
  int code = exit_agree;
  for (std::size_t which = 0; which < program.calls.size(); ++which) {
    const Plan& plan = program.calls[which];
    if (flags.json != "-") fmt::print("call {}\n{}", which, print(plan));
    calls.push_back(plan_json(plan));
    if (const auto finding = malformed(plan)) {
      fmt::print(stderr, "lockstep: call {}: {}\n", which, *finding);
      code = exit_disagree;
    }
  }
  if (flags.json != "-") fmt::print("case: {}\n", print(a_case));
  if (!flags.json.empty()) write_json({{"case", print(a_case)}, {"calls", calls}}, flags.json);
  return code;
}

}  // namespace

void add_plan(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<PlanFlags>();
  CLI::App* verb = app.add_subcommand("plan", "Print the schedule of a case");
  verb->add_option("--case", flags->line, "a case line")->required();
  verb->add_option("--json", flags->json, "also write the result as JSON; - for standard output");
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
