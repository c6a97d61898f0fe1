#include "bench/shootout/table.h"

#include "oracle/campaign/parallel.h"
#include "oracle/judges/stopwatch.h"

#include <algorithm>

namespace lockstep::shootout {
namespace {

std::vector<const Rule*> chosen_rules(const Options& options) {
  if (!options.only.empty()) return {&rule_named(options.only)};
  std::vector<const Rule*> chosen;
  for (const Rule& rule : rules())
    if (rule.quick || !options.quick) chosen.push_back(&rule);
  return chosen;
}

std::vector<const Fault*> chosen_faults(const Options& options) {
  if (!options.fault.empty()) return {&fault_named(options.fault)};
  std::vector<const Fault*> chosen;
  for (const Fault& fault : fault_catalogue()) chosen.push_back(&fault);
  return chosen;
}

void try_rules(Table& table, const Options& options) {
  const Index rules = std::ssize(table.rules), faults = std::ssize(table.faults);
  table.seconds_to_enter.resize(table.rules.size());
  parallel_for(rules, options.threads, [&](Index r) {
    const auto rule = static_cast<std::size_t>(r);
    const Entrant entrant = enter(*table.rules[rule], options.seed);
    table.seconds_to_enter[rule] = entrant.seconds;
    for (std::size_t f = 0; f < static_cast<std::size_t>(faults); ++f)
      table.trials[f][rule] = try_fault(entrant, *table.faults[f], options.seed);
  });
}

void hunt_faults(Table& table, const Options& options) {
  const auto columns = judge_columns();
  const Index width = std::ssize(columns);
  parallel_for(std::ssize(table.faults) * width, options.threads, [&](Index i) {
    const auto fault = static_cast<std::size_t>(i / width), column = static_cast<std::size_t>(i % width);
    table.kills[fault][column] = hunt(*table.faults[fault], columns[column], options.seed, options.cases);
  });
}

}  // namespace

bool Table::lockstep_sees(std::size_t fault) const {
  return std::ranges::any_of(kills[fault], [](const Kill& kill) { return kill.expected && kill.cases > 0; });
}

Tally tally(const Table& table, std::size_t rule) {
  Tally tally{.seconds = table.seconds_to_enter[rule]};
  for (const std::vector<Trial>& row : table.trials) {
    tally.applicable += row[rule].mark != Mark::not_applicable;
    tally.seen += row[rule].mark == Mark::seen;
    tally.seconds += row[rule].seconds;
  }
  return tally;
}

Table compare(const Options& options) {
  const Stopwatch stopwatch;
  Table table;
  table.rules = chosen_rules(options), table.faults = chosen_faults(options);
  table.trials.assign(table.faults.size(), std::vector<Trial>(table.rules.size()));
  table.kills.assign(table.faults.size(), std::vector<Kill>(judge_columns().size()));
  try_rules(table, options);
  hunt_faults(table, options);
  table.seconds = stopwatch.seconds();
  return table;
}

}  // namespace lockstep::shootout
