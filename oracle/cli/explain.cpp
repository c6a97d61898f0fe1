// lockstep explain: why a case fails, as it is, and what to do next.
#include "oracle/cli/flags.h"
#include "oracle/cli/one_case.h"
#include "oracle/cli/verbs.h"
#include "oracle/diagnosis/nearest.h"
#include "oracle/faults/strike.h"
#include "oracle/report/explained.h"
#include "oracle/report/json_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace lockstep {
namespace {

struct ExplainFlags {
  OneCase which;
  std::string json;
};

// Only where values were wrong and no fault gives them all.
std::string nearest_of(const Case& a_case, const Examined& examined) {
  const bool by_value = examined.verdict.judge == "exact" || examined.verdict.judge == "declared";
  if (!by_value || !examined.explanation.faults.empty()) return "";
  const Prepared prepared = prepare(a_case);
  const auto nearest = nearest_fault(prepared, observe(prepared, program_of(a_case), a_case.first().executor));
  return nearest ? print(*nearest) : "no fault of the catalogue shares a wrong element with this";
}

int run(const ExplainFlags& flags) {
  if (!flags.json.empty()) expect_json_writable(flags.json);
  Explained explained{read_one_case(flags.which), {}, ""};
  explained.examined = examine(explained.a_case);
  explained.nearest = nearest_of(explained.a_case, explained.examined);
  if (flags.json != "-") fmt::print("{}", print(explained));
  if (!flags.json.empty()) write_json(to_json(explained), flags.json);
  return code_of(explained.examined.verdict);
}

}  // namespace

void add_explain(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* verb = app.add_subcommand("explain", "Say why a case fails: what is wrong, where, and what would do that");
  add_one_case(verb, flags->which);
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
