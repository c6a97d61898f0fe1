#include "oracle/cli/one_case.h"

#include "oracle/cli/device.h"
#include "oracle/cli/runnable.h"
#include "oracle/report/json_read.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

std::string last_failure_in(const std::string& file) {
  const nlohmann::json json = read_json(file);
  const auto failures = json.is_object() ? json.find("failures") : json.end();
  if (failures == json.end() || !failures->is_array())
    refuse("{}: has no list \"failures\", so it is no JSON that lockstep run wrote", shown_path(file));
  if (failures->empty()) refuse("{}: has no failure in it", shown_path(file));
  const nlohmann::json& last = failures->back();
  if (!last.is_object() || !last.contains("case") || !last["case"].is_string())
    refuse("{}: its last failure has no \"case\", a case line", shown_path(file));
  if (last.contains("kernel") && last["kernel"].is_string() && !last["kernel"].get<std::string>().empty())
    refuse("{}: its last failure is of the library {}, which run --kernel alone takes", shown_path(file),
           in_quotes(last["kernel"].get<std::string>()));
  return last["case"];
}

}  // namespace

void add_one_case(CLI::App* verb, OneCase& which) {
  auto* line = verb->add_option("--case", which.line, "a case line");
  verb->add_option("--of", which.of, "in its place: the last failure in a JSON that run wrote")->excludes(line);
}

Case runnable_case(const std::string& line) {
  Case a_case = parse_case(line);
  if (a_case.first().executor.kind == ExecutorKind::mpi)
    refuse("executor=mpi: only run judges in a team of processes; here take another executor, as threads or adversary");
  expect_runnable(a_case);
  need_device_for(a_case);
  return a_case;
}

Case read_one_case(const OneCase& which) {
  if (which.line) return runnable_case(*which.line);
  if (which.of) return runnable_case(last_failure_in(*which.of));
  refuse("name a case: --case LINE, or --of FILE for the last failure in a JSON that run wrote");
}

ExitCode code_of(const Verdict& verdict) {
  if (verdict.outcome == Outcome::hang) return exit_hang;
  if (verdict.failed()) return exit_disagree;
  return verdict.outcome == Outcome::agree ? exit_agree : exit_blind;
}

}  // namespace lockstep
