#include "oracle/report/mutants.h"

#include "oracle/mutants/configurations.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <map>
#include <utility>

namespace lockstep {
namespace {

using nlohmann::json;

// Of one line of the table.
struct Row {
  std::string label;
  Index generated = 0, killed = 0, equivalent = 0;
  std::map<std::string_view, Index> by{};  // judge or proof

  void add(const Trial& trial) {
    ++generated;
    killed += trial.fate == Fate::killed ? 1 : 0;
    equivalent += trial.fate == Fate::equivalent ? 1 : 0;
    if (trial.fate != Fate::survives) ++by[trial.by];
  }
  Index survived() const { return generated - killed - equivalent; }
  Index of(std::string_view judge_or_proof) const {
    const auto found = by.find(judge_or_proof);
    return found == by.end() ? 0 : found->second;
  }
};

template <typename Belongs>
Row row_of(const MutantScore& score, std::string label, const Belongs& belongs) {
  Row row{std::move(label)};
  for (const Tried& one : score.tried)
    if (belongs(one)) row.add(one.trial);
  return row;
}

std::vector<Row> rows_by_class(const MutantScore& score) {
  std::vector<Row> rows;
  for (FieldClass kind : all_field_classes)
    rows.push_back(row_of(score, std::string(name(kind)), [&](const Tried& one) { return one.kind == kind; }));
  return rows;
}

Index ranks_of(const MutantScore& score, Index which) {
  return score.cases[static_cast<std::size_t>(which)].first().tp;
}

std::vector<Row> rows_by_ranks(const MutantScore& score) {
  std::vector<Row> rows;
  for (Index tp : mutated_groups)
    rows.push_back(
        row_of(score, fmt::format("{} ranks", tp), [&](const Tried& one) { return ranks_of(score, one.which) == tp; }));
  return rows;
}

std::vector<Row> rows_by_case(const MutantScore& score) {
  std::vector<Row> rows;
  for (const Case& a_case : score.cases) rows.push_back({print(a_case)});
  for (const Tried& one : score.tried) rows[static_cast<std::size_t>(one.which)].add(one.trial);
  return rows;
}

Row row_of_all(const MutantScore& score) {
  return row_of(score, "all", [](const Tried&) { return true; });
}

std::string print(const Row& row) {
  std::string text = fmt::format("{:<18} {:>9}", row.label, row.generated);
  for (std::string_view judge : killing_judges) text += fmt::format(" {:>8}", row.of(judge));
  text += " |";
  for (std::string_view proof : equivalence_proofs) text += fmt::format(" {:>15}", row.of(proof));
  return text + fmt::format(" | {:>8}\n", row.survived());
}

std::string print_heading() {
  std::string text = fmt::format("{:<18} {:>9}", "field", "generated");
  for (std::string_view judge : killing_judges) text += fmt::format(" {:>8}", judge);
  text += " |";
  for (std::string_view proof : equivalence_proofs) text += fmt::format(" {:>15}", proof);
  return text + fmt::format(" | {:>8}\n", "survives");
}

template <typename Names>
json counts(const Row& row, const Names& names) {
  json all = json::object();
  for (std::string_view name : names) all[std::string(name)] = row.of(name);
  return all;
}

json to_json(const Row& row) {
  return {{"name", row.label},
          {"total", row.generated},
          {"killed", row.killed},
          {"equivalent", row.equivalent},
          {"survived", row.survived()},
          {"by_judge", counts(row, killing_judges)},
          {"by_proof", counts(row, equivalence_proofs)}};
}

json to_json(const std::vector<Row>& rows) {
  json all = json::array();
  for (const Row& row : rows) all.push_back(to_json(row));
  return all;
}

}  // namespace

std::string print_operators() {
  std::string text;
  for (FieldClass kind : all_field_classes) {
    text += fmt::format("{:<18} ", name(kind));
    std::string_view comma = "";
    for (Operator by : operators_of(kind)) text += fmt::format("{}{}", std::exchange(comma, ", "), name(by));
    text += "\n";
  }
  return text;
}

json operators_json() {
  json all = json::object();
  for (FieldClass kind : all_field_classes)
    for (Operator by : operators_of(kind)) all[std::string(name(kind))].push_back(name(by));
  return {{"operators", all}};
}

std::string print_mutants(const MutantScore& score) {
  std::string text = print_heading();
  for (const Row& row : rows_by_class(score)) text += print(row);
  text += "\n";
  for (const Row& row : rows_by_ranks(score)) text += print(row);
  const Row all = row_of_all(score);
  text += print(all);
  for (const Survivor& survivor : score.survivors)
    text += fmt::format("survives {}\n         {}\n", survivor.mutant,
                        print(score.cases[static_cast<std::size_t>(survivor.which)]));
  return text + fmt::format(
                    "\n{} of {} killed ({} generated, {} proved equivalent): {:.3f} %, {:.1f} % are asked; {:.3f} % of "
                    "those that "
                    "are well formed; to the "
                    "first that shows it: median {} case, {:.6f} s; {:.1f} s in all\n",
                    all.killed, all.generated - all.equivalent, all.generated, all.equivalent, 100 * score.ratio(),
                    100 * MutantScore::least_ratio, 100 * score.ratio_of_well_formed(), score.median_cases(),
                    score.median_seconds(), score.seconds);
}

json to_json(const MutantScore& score) {
  json result = to_json(row_of_all(score));
  result.erase("name");
  result["score"] = score.ratio();
  result["score_of_well_formed"] = score.ratio_of_well_formed();
  result["passes"] = score.passes();
  result["median_cases"] = score.median_cases();
  result["median_seconds"] = score.median_seconds();
  result["seconds"] = score.seconds;
  result["by_class"] = to_json(rows_by_class(score));
  result["by_ranks"] = to_json(rows_by_ranks(score));
  result["by_case"] = to_json(rows_by_case(score));
  result["survivors"] = json::array();
  for (const Survivor& survivor : score.survivors)
    result["survivors"].push_back(
        {{"mutant", survivor.mutant}, {"case", print(score.cases[static_cast<std::size_t>(survivor.which)])}});
  return result;
}

}  // namespace lockstep
