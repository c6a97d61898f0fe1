#include "oracle/campaign/failure_record.h"

#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace lockstep {
namespace {

using nlohmann::json;

json range_json(const Range& range) { return {range.begin, range.end}; }
Range range_of(const json& j) { return {j.at(0).get<Index>(), j.at(1).get<Index>()}; }

// An infinity is null in JSON.
double number_of(const json& j) { return j.is_null() ? std::numeric_limits<double>::infinity() : j.get<double>(); }

json difference_json(const Difference& d) {
  return {d.call, d.rank, d.output, d.row, d.col, name(d.type), d.got, d.want};
}
Difference difference_of(const json& j) {
  return {j.at(0).get<Index>(),         j.at(1).get<Index>(),        j.at(2).get<std::string>(),
          j.at(3).get<Index>(),         j.at(4).get<Index>(),        dtype_named(j.at(5).get<std::string>()),
          j.at(6).get<std::uint32_t>(), j.at(7).get<std::uint32_t>()};
}

json comparison_json(const Comparison& c) {
  json first = json::array();
  for (const Difference& difference : c.first) first.push_back(difference_json(difference));
  return {{"compared", c.compared},
          {"differing", c.differing},
          {"poisoned", c.poisoned},
          {"first", first},
          {"outputs", c.outputs},
          {"calls", c.calls},
          {"ranks", c.ranks},
          {"splits", c.splits},
          {"rows", range_json(c.rows)},
          {"cols", range_json(c.cols)},
          {"utilisation", c.utilisation},
          {"unjudged", c.unjudged}};
}
Comparison comparison_of(const json& j) {
  Comparison c;
  j.at("compared").get_to(c.compared), j.at("differing").get_to(c.differing), j.at("poisoned").get_to(c.poisoned);
  for (const json& difference : j.at("first")) c.first.push_back(difference_of(difference));
  j.at("outputs").get_to(c.outputs), j.at("calls").get_to(c.calls), j.at("ranks").get_to(c.ranks);
  j.at("splits").get_to(c.splits), j.at("unjudged").get_to(c.unjudged);
  c.rows = range_of(j.at("rows")), c.cols = range_of(j.at("cols"));
  c.utilisation = number_of(j.at("utilisation"));
  return c;
}

json reading_json(const Reading& r) {
  return {r.words, r.output, r.where, r.call, r.explains, r.of, r.against, r.cost, r.is_ambiguous};
}
Reading reading_of(const json& j) {
  return {j.at(0).get<std::string>(), j.at(1).get<std::string>(), j.at(2).get<std::string>(),
          j.at(3).get<Index>(),       j.at(4).get<Index>(),       j.at(5).get<Index>(),
          j.at(6).get<Index>(),       j.at(7).get<Index>(),       j.at(8).get<bool>()};
}

json explanation_json(const Explanation& e) {
  json readings = json::array();
  for (const Reading& reading : e.readings) readings.push_back(reading_json(reading));
  return {{"faults", e.faults},     {"kind", e.kind},       {"operation", e.operation}, {"where", e.where},
          {"sentence", e.sentence}, {"readings", readings}, {"patterns", e.patterns}};
}
Explanation explanation_of(const json& j) {
  Explanation e{.kind = j.at("kind"), .where = j.at("where")};
  j.at("faults").get_to(e.faults), j.at("operation").get_to(e.operation), j.at("sentence").get_to(e.sentence);
  for (const json& reading : j.at("readings")) e.readings.push_back(reading_of(reading));
  j.at("patterns").get_to(e.patterns);
  return e;
}

}  // namespace

json verdict_json(const Verdict& v) {
  return {{"outcome", name(v.outcome)}, {"judge", v.judge},           {"comparison", comparison_json(v.comparison)},
          {"finding", v.finding},       {"seconds", v.fused_seconds}, {"outputs", v.outputs}};
}

Verdict verdict_of(const json& j) {
  const auto is_named = [&](Outcome outcome) { return name(outcome) == j.at("outcome").get<std::string>(); };
  const auto outcome = std::ranges::find_if(all_outcomes, is_named);
  CHECK(outcome != std::end(all_outcomes), "a verdict of another version");
  return {*outcome,
          j.at("judge"),
          comparison_of(j.at("comparison")),
          j.at("finding"),
          number_of(j.at("seconds")),
          j.at("outputs").get<std::uint64_t>()};
}

std::string line_of(const Failure& f) {
  const json line{{"found", print(f.found)},
                  {"shrunk", print(f.shrunk)},
                  {"verdict", verdict_json(f.verdict)},
                  {"explanation", explanation_json(f.explanation)},
                  {"kernel", f.kernel}};
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Failure> failure_on(const std::string& line) try {
  const json read = json::parse(line);
  return Failure{parse_case(read.at("found").get<std::string>()), parse_case(read.at("shrunk").get<std::string>()),
                 verdict_of(read.at("verdict")), explanation_of(read.at("explanation")), read.at("kernel")};
} catch (const json::exception&) {
  return {};
} catch (const Refusal&) {
  return {};
}

}  // namespace lockstep
