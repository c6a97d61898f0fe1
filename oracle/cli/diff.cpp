// lockstep diff: how two cases, two dumps or two runs differ.
#include "oracle/cli/exit_code.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/one_case.h"
#include "oracle/cli/verbs.h"
#include "oracle/diagnosis/difference.h"
#include "oracle/faults/strike.h"
#include "oracle/report/json_file.h"
#include "oracle/report/json_read.h"
#include "oracle/report/run_difference.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace lockstep {
namespace {

struct DiffFlags {
  std::string a, b, json;
};

enum class Kind { case_line, safetensors, run };

// A safetensors file begins with the length of its header, whose upper bytes are zero; no JSON has such bytes.
Kind kind_of(const std::string& given) {
  std::error_code ignored;
  if (!std::filesystem::exists(given, ignored) && given.find('=') != given.npos) return Kind::case_line;
  const OpenFile file(given);
  const auto begin = file.read({0, std::min<Index>(8, file.size())});
  return std::ranges::count(begin, std::byte{0}) == 0 && !begin.empty() ? Kind::run : Kind::safetensors;
}

std::string_view name(Kind kind) {
  constexpr std::string_view names[] = {"a case line", "a safetensors file", "a JSON of run"};
  return names[static_cast<std::size_t>(kind)];
}

struct Result {
  bool differs = false;
  std::string text;
  nlohmann::json content;
};

Result of_tensors(const std::vector<TensorDifference>& all) {
  return {std::ranges::any_of(all, &TensorDifference::differs), print(all), {{"tensors", to_json(all)}}};
}

std::vector<NamedTensors> outputs_of(const std::string& line) {
  const Case a_case = runnable_case(line);
  if (a_case.first().executor.kind == ExecutorKind::provenance)
    refuse("executor=provenance: a run on symbols has no values to compare");
  const Prepared prepared = prepare(a_case);
  const Program program = struck(prepared.correct, strike_of(a_case));
  const Verdict of_plan = judge_plan(program);
  if (of_plan.judge == "plan" || of_plan.outcome == Outcome::hang)
    refuse("{}: the case has no outputs to compare: {}", in_quotes(line), of_plan.finding);
  return observe(prepared, program, a_case.first().executor).outputs;
}

Result of_runs(const DiffFlags& flags) {
  const auto all = run_difference(read_json(flags.a), read_json(flags.b), flags.a, flags.b);
  Result result{!all.empty(), "", {{"fields", nlohmann::json::array()}}};
  const auto shown = [](const std::string& value) { return value.empty() ? "nothing" : value; };
  for (const FieldDifference& one : all) {
    result.text += fmt::format("{}\n  A {}\n  B {}\n", one.field, shown(one.a), shown(one.b));
    result.content["fields"].push_back({{"field", one.field}, {"a", one.a}, {"b", one.b}});
  }
  result.text += fmt::format("{} fields differ\n", all.size());
  return result;
}

Result compared(const DiffFlags& flags) {
  const Kind kind = kind_of(flags.a), other = kind_of(flags.b);
  if (kind != other)
    refuse("diff takes two of a kind: {} is {} and {} is {}", in_quotes(flags.a), name(kind), in_quotes(flags.b),
           name(other));
  if (kind == Kind::case_line) return of_tensors(difference(outputs_of(flags.a), outputs_of(flags.b)));
  if (kind == Kind::run) return of_runs(flags);
  return of_tensors(difference(read_safetensors(flags.a), read_safetensors(flags.b)));
}

int run(const DiffFlags& flags) {
  expect_json_writable(flags.json, {flags.a, flags.b});
  Result result = compared(flags);
  const std::string_view verdict = result.differs ? "disagree" : "agree";
  result.content["verdict"] = verdict;
  if (flags.json != "-") fmt::print("{}verdict: {}\n", result.text, verdict);
  if (!flags.json.empty()) write_json(result.content, flags.json);
  return result.differs ? exit_disagree : exit_agree;
}

}  // namespace

void add_diff(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<DiffFlags>();
  CLI::App* verb = app.add_subcommand("diff", "Compare the outputs of two cases, two dumps, or two runs");
  verb->add_option("A", flags->a, "a case line, a safetensors file, or a JSON that run wrote")->required();
  verb->add_option("B", flags->b, "another of the same kind")->required();
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
