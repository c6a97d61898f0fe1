#include "oracle/campaign/journal_record.h"

#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <stdexcept>

namespace lockstep {
namespace {

using nlohmann::json;

Outcome outcome_named(const std::string& word) {
  for (Outcome outcome : all_outcomes)
    if (name(outcome) == word) return outcome;
  refuse("verdict {}: there is no such verdict", in_quotes(word));
}

json json_of(const CaseResult& result) {
  const Verdict& v = result.verdict;
  return {{"verdict", name(v.outcome)},
          {"judge", v.judge},
          {"finding", v.finding},
          {"blind_to", result.blind_to},
          {"compared", v.comparison.compared},
          {"differing", v.comparison.differing},
          {"unjudged", v.comparison.unjudged},
          {"utilisation", v.comparison.utilisation},
          {"outputs", fmt::format("{:016x}", v.outputs)},
          {"seconds", v.fused_seconds},
          {"reference_seconds", result.reference_seconds},
          {"unsupported", result.unsupported}};
}

// An infinity is null in JSON.
double number_of(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

CaseResult result_of(const json& line, const Case& a_case) {
  CaseResult result{a_case,
                    {},
                    line.at("blind_to").get<std::string>(),
                    number_of(line.at("reference_seconds")),
                    natural_index(line.at("unsupported"))};
  Verdict& v = result.verdict;
  v.outcome = outcome_named(line.at("verdict").get<std::string>());
  v.judge = line.at("judge").get<std::string>();
  v.finding = line.at("finding").get<std::string>();
  v.comparison.compared = natural_index(line.at("compared"));
  v.comparison.differing = natural_index(line.at("differing"));
  v.comparison.unjudged = natural_index(line.at("unjudged"));
  v.comparison.utilisation = number_of(line.at("utilisation"));
  v.outputs = std::stoull(line.at("outputs").get<std::string>(), nullptr, 16);
  v.fused_seconds = number_of(line.at("seconds"));
  return result;
}

}  // namespace

std::uint64_t natural_number(const json& value) {
  if (!value.is_number_unsigned()) throw std::out_of_range("no whole number from 0");
  return value.get<std::uint64_t>();
}

Index natural_index(const json& value) {
  const std::uint64_t number = natural_number(value);
  if (number > std::numeric_limits<Index>::max()) throw std::out_of_range("more than 2^63 - 1");
  return static_cast<Index>(number);
}

std::string line_of(const Record& record) {
  json line = record.result ? json_of(*record.result) : json::object();
  line[record.result ? "end" : "begin"] = record.number;
  line["case"] = print(record.a_case);
  return line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

Record record_of(const std::string& line) try {
  const json read = json::parse(line);
  const bool ends = read.contains("end");
  Record record{natural_index(read.at(ends ? "end" : "begin")), parse_case(read.at("case").get<std::string>()), {}};
  if (ends) record.result = result_of(read, record.a_case);
  if (line_of(record) != read.dump() + "\n") refuse("{} is no record of a case", in_quotes(line));
  return record;
} catch (const json::exception&) {
  refuse("{} is no record of a case", in_quotes(line));
} catch (const std::logic_error&) {
  refuse("{} is no record of a case", in_quotes(line));
}

}  // namespace lockstep
