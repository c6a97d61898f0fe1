#include "oracle/report/text.h"

#include "oracle/campaign/report_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

std::string print(const Difference& d) {
  const int digits = format(d.type).bits / 4;
  return fmt::format("call {} rank {} {} row {} column {}: got {} (0x{:0{}x}), want {} (0x{:0{}x})", d.call, d.rank,
                     d.output, d.row, d.col, decode(d.type, d.got), d.got, digits, decode(d.type, d.want), d.want,
                     digits);
}

std::string counted(Index n, std::string_view thing) { return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s"); }

std::string print_elements(const Failure& failure) {
  std::string lines;
  if (failure.verdict.judge == "provenance") return lines;
  for (const Difference& difference : failure.verdict.comparison.first)
    lines += fmt::format("  element  {}\n", print(difference));
  return lines;
}

std::string print_readings(const Failure& failure) {
  std::string lines;
  const char* of_what = failure.found == failure.shrunk ? "" : " of the case found";
  const Reading* before = nullptr;
  for (const Reading& reading : failure.explanation.readings) {
    const bool is_other =
        before && reading.is_ambiguous && before->output == reading.output && before->call == reading.call;
    lines += fmt::format("  {} {}\n", is_other ? "or as   " : "reads as", print(reading, of_what));
    before = &reading;
  }
  return lines;
}

std::string print_patterns(const Failure& failure) {
  constexpr std::size_t most = 3;
  const char* of_what = failure.found == failure.shrunk ? "" : "of the case found: ";
  std::string lines;
  for (std::size_t i = 0; i < failure.explanation.patterns.size() && i < most; ++i)
    lines += fmt::format("  {} {}{}\n", i == 0 ? "pattern " : "        ", of_what, failure.explanation.patterns[i]);
  return lines;
}

Index elements(const Campaign& campaign) {
  Index all = 0;
  for (const CaseResult& result : campaign.results) all += result.verdict.comparison.compared;
  return all;
}

std::string print_judges(const Campaign& campaign) {
  std::map<std::string, Index> cases;
  for (const CaseResult& result : campaign.results)
    if (result.verdict.outcome == Outcome::agree) ++cases[result.verdict.judge];
  std::string text;
  for (const auto& [judge, n] : cases) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, judge);
  return text.empty() ? "none" : text;
}

std::string print_bounds(const Campaign& campaign) {
  const auto by_bound = [](const CaseResult& result) { return result.a_case.first().judge == JudgeChoice::bound; };
  if (std::ranges::none_of(campaign.results, by_bound)) return "";
  return fmt::format("; the largest difference is {:.3f} of its bound, {} had none", campaign.utilisation(),
                     counted(campaign.unjudged(), "element"));
}

std::string print_if_any(const Campaign& campaign, Outcome outcome) {
  const Index n = campaign.count(outcome);
  return n == 0 ? "" : fmt::format("{} {}, ", n, name(outcome));
}

std::string print_unsupported(const Campaign& campaign) {
  const Index n = campaign.unsupported();
  return n == 0 ? "" : fmt::format("; {} more that were drawn are not supported", n);
}

Index median(std::vector<Index> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace

std::string print(const Failure& failure) {
  std::string text = fmt::format("\n{} by judge {}: {}\n", name(failure.verdict.outcome), failure.verdict.judge,
                                 failure.verdict.finding);
  if (failure.found != failure.shrunk) text += fmt::format("  found    {}\n", print(failure.found));
  text += fmt::format("  {} {}\n", failure.found == failure.shrunk ? "case    " : "smallest", print(failure.shrunk));
  text += print_elements(failure);
  text += fmt::format("  why      {}\n", failure.explanation.sentence);
  if (!failure.explanation.operation.empty()) text += fmt::format("  first at {}\n", failure.explanation.operation);
  text += print_readings(failure) + print_patterns(failure);
  const std::string kernel = failure.kernel.empty() ? "" : fmt::format("--kernel '{}' ", failure.kernel);
  return text + fmt::format("  again    lockstep run {}--case '{}'\n", kernel, print(failure.shrunk));
}

std::string print_summary(const Campaign& campaign) {
  return fmt::format(
      "{} in {:.2f} s: {} agree ({}), {} disagree, {} hang, {}{}{} blind, {} empty; {} elements compared{}{}\n",
      counted(std::ssize(campaign.results), "case"), campaign.seconds, campaign.count(Outcome::agree),
      print_judges(campaign), campaign.count(Outcome::disagree), campaign.count(Outcome::hang),
      print_if_any(campaign, Outcome::crash), print_if_any(campaign, Outcome::failed), campaign.count(Outcome::blind),
      campaign.count(Outcome::empty), elements(campaign), print_bounds(campaign), print_unsupported(campaign));
}

std::string print_blind(const Campaign& campaign) {
  std::string text;
  Index shown = 0;
  for (const CaseResult& result : campaign.results)
    if (result.verdict.outcome == Outcome::blind && shown++ < 3)
      text += fmt::format("blind    {}\n         {}\n", print(result.a_case), result.verdict.finding);
  return text;
}

std::string print_models(const std::vector<ModelCase>& models, const Campaign& campaign) {
  std::string text = fmt::format("{:<38} {:>2} {:>6} {:>6} {:>6} {:<8} {:>12} {:>9}  {}\n", "layer", "tp", "tokens",
                                 "in", "out", "data", "reference ms", "fused ms", "verdict");
  for (std::size_t i = 0; i < campaign.results.size() && i < models.size(); ++i) {
    const CaseResult& result = campaign.results[i];
    const Call& call = result.a_case.first();
    text += fmt::format("{:<38} {:>2} {:>6} {:>6} {:>6} {:<8} {:>12.2f} {:>9.2f}  {} ({})\n", models[i].name, call.tp,
                        call.tokens, call.in, call.out, key_named("data").get(call), 1e3 * result.reference_seconds,
                        1e3 * result.verdict.fused_seconds, name(result.verdict.outcome), result.verdict.judge);
  }
  return text;
}

std::string print_catalogue() {
  std::string text;
  for (const Fault& fault : fault_catalogue())
    text += fmt::format("{:<32} {:<12} {:>2} {} ({})\n", fault.id, name(fault.kind), fault.number, fault.summary,
                        fault.source);
  return text;
}

std::string print_score(const std::vector<Kill>& kills) {
  const auto columns = judge_columns();
  std::string text = fmt::format("{:<32} {:<12}", "fault", "class");
  for (const JudgeColumn& column : columns) text += fmt::format(" {:>11}", column.name);
  std::vector<Index> cases;
  for (std::size_t i = 0; i < kills.size(); ++i) {
    if (i % columns.size() == 0) text += fmt::format("\n{:<32} {:<12}", kills[i].fault->id, name(kills[i].fault->kind));
    text += fmt::format(" {:>11}", kills[i].cases > 0    ? std::to_string(kills[i].cases)
                                   : kills[i].survives() ? "survives"
                                                         : "-");
    if (kills[i].expected && kills[i].cases > 0) cases.push_back(kills[i].cases);
  }
  const auto expected = std::ranges::count(kills, true, &Kill::expected);
  return text + fmt::format(
                    "\n\n{} of {} killed; the figure is the number of random cases up to the first that shows the "
                    "fault, median {}; -: not owed: exact data cannot show how a sum is rounded, and values show "
                    "timing by luck; weighted by public reports: {:.2f} %\n",
                    cases.size(), expected, median(cases), 100 * weighted_score(by_fault(kills)));
}

}  // namespace lockstep
