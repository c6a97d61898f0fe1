#include "bench/shootout/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::shootout {
namespace {

std::string share(Index seen, Index of) { return fmt::format("{} of {}", seen, of); }

std::string rule_line(const Table& table, std::size_t rule) {
  const Tally t = tally(table, rule);
  return fmt::format("{:>3}  {:<27} {:>9} {:>7.1f} s\n", rule + 1, table.rules[rule]->name, share(t.seen, t.applicable),
                     t.seconds);
}

std::string lockstep_lines(const Table& table) {
  const auto columns = judge_columns();
  std::string text;
  for (std::size_t c = 0; c <= columns.size(); ++c) {
    Index seen = 0, of = 0;
    double seconds = 0;
    for (std::size_t f = 0; f < table.kills.size(); ++f) {
      const bool all = c == columns.size();
      of += all || table.kills[f][c].expected;
      seen += all ? table.lockstep_sees(f) : table.kills[f][c].expected && table.kills[f][c].cases > 0;
      for (std::size_t k = 0; k < columns.size(); ++k)
        if (all || k == c) seconds += table.kills[f][k].seconds;
    }
    const std::string name = c == columns.size() ? "lockstep" : fmt::format("lockstep {}", columns[c].name);
    text += fmt::format("     {:<27} {:>9} {:>7.1f} s\n", name, share(seen, of), seconds);
  }
  return text;
}

std::string mark_of(Mark mark) { return mark == Mark::seen ? "x" : mark == Mark::not_seen ? "o" : "."; }

std::string kill_of(const Kill& kill) {
  return !kill.expected ? "-" : kill.cases == 0 ? "o" : std::to_string(kill.cases);
}

std::string fault_line(const Table& table, std::size_t fault) {
  std::string text = fmt::format("{:<24}", table.faults[fault]->id);
  for (const Trial& trial : table.trials[fault]) text += fmt::format("{:>3}", mark_of(trial.mark));
  for (const Kill& kill : table.kills[fault]) text += fmt::format("{:>6}", kill_of(kill));
  return text + fmt::format("{:>10}\n", table.lockstep_sees(fault) ? "x" : "o");
}

std::string heading(const Table& table) {
  std::string text = fmt::format("{:<24}", "fault");
  for (std::size_t rule = 0; rule < table.rules.size(); ++rule) text += fmt::format("{:>3}", rule + 1);
  for (const JudgeColumn& column : judge_columns()) text += fmt::format("{:>6}", column.name.substr(0, 5));
  return text + fmt::format("{:>10}\n", "lockstep");
}

std::string cut_words(const Rule& rule) {
  if (rule.cut.empty()) return "";
  return "\n     cut: " + rule.cut + (rule.is_elementwise ? "" : " (the rule looks at all elements together)");
}

std::string described(const Rule& rule) {
  std::string data = "x " + rule.x.words + "; w " + rule.w.words;
  if (!rule.b.words.empty()) data += "; b " + rule.b.words;
  if (!rule.dy.words.empty()) data += "; dy " + rule.dy.words;
  return fmt::format(
      "     {}\n     {}\n     accepts if {}; want {}\n     {}{}\n", rule.source, rule.line, rule.acceptance.formula,
      rule.reference == Reference::in_double ? "in double" : "of the unfused layer", data, cut_words(rule));
}

}  // namespace

std::string print(const Table& table) {
  std::string text = heading(table);
  for (std::size_t fault = 0; fault < table.faults.size(); ++fault) text += fault_line(table, fault);
  text +=
      "\nx: seen, o: not seen, .: not applicable. exact, declared, provenance: the random cases up to the first that "
      "shows the fault, -: cannot show it\n\n";
  for (std::size_t rule = 0; rule < table.rules.size(); ++rule)
    text += rule_line(table, rule) + described(*table.rules[rule]);
  return text + lockstep_lines(table) + fmt::format("\n{:.0f} s in all\n", table.seconds);
}

std::string print(const std::vector<Finding>& findings) {
  std::string text = "\nfindings\n";
  for (const Finding& finding : findings)
    text += fmt::format("  {:<14} {}\n                 {} ({:.1f} s)\n",
                        finding.reproduced ? "reproduced" : "NOT REPRODUCED", finding.statement, finding.measured,
                        finding.seconds);
  return text;
}

}  // namespace lockstep::shootout
