#include "oracle/diagnosis/recorded/explain.h"

#include "oracle/diagnosis/hypotheses.h"
#include "oracle/diagnosis/pattern.h"
#include "oracle/diagnosis/recorded/altered.h"
#include "oracle/diagnosis/recorded/whole_output.h"
#include "oracle/judges/recorded/judge_recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

void add(Hypotheses& all, Hypotheses more) { std::ranges::move(more, std::back_inserter(all)); }

Hypotheses by_constant(const Evidence& evidence) {
  return {{"NaN where a number is due", 0, [](const Element& e) { return std::isnan(e.got) && !std::isnan(e.want); }},
          says(evidence.type, 1, "zero", [](const Element&) { return 0.0; })};
}

Hypotheses moved_in(const WholeOutput& whole, const Evidence& evidence, const RecordedWant& want) {
  const Source other{"", [&](const Element& e, Index row, Index col) { return whole.is_from(want, e, row, col); }};
  Hypotheses all = moved(evidence, whole.shape, other, Along::rows);
  add(all, moved(evidence, whole.shape, other, Along::columns));
  return all;
}

// Onto what was rounded already, so in no alteration.
Hypotheses by_late_bias(const Evidence& evidence, const RecordedGemm& recorded) {
  if (!recorded.inputs.bias || recorded.inputs.output_scale != 1) return {};
  return {says(evidence.type, 1, "the bias added twice, the second time to the rounded output",
               [bias = decode(*recorded.inputs.bias)](const Element& e) { return double{e.want} + bias(0, e.col); })};
}

Hypotheses by_late_bias(const Evidence&, const RecordedLayer&) { return {}; }

// A single element is like some other by chance.
bool is_by_chance(const Reading& reading) { return reading.explains < 4 * reading.cost; }

// What the elements and alterations of one look may take, in bytes.
constexpr double memory_of_a_look = 0x1p27;

Precision precision_of(std::string_view judge) {
  return judge == "bound" ? Precision::to_within_a_bound : Precision::to_the_bit;
}

void add(RecordedExplanation& all, RecordedExplanation more) {
  std::ranges::move(more.readings, std::back_inserter(all.readings));
  std::ranges::move(more.patterns, std::back_inserter(all.patterns));
}

std::vector<Reading> likely(const Evidence& evidence, const Hypotheses& hypotheses) {
  std::vector<Reading> readings = readings_by(evidence, hypotheses, where);
  std::erase_if(readings, is_by_chance);
  return readings;
}

template <typename Recorded>
RecordedExplanation explained(const Recorded& recorded, Precision precision) {
  const RecordedWant want = want_of(recorded, precision);
  const WholeOutput whole = whole_output(recorded);
  const Evidence evidence = evidence_of(whole, want);
  if (evidence.differing == 0) return {};
  Hypotheses all = by_constant(evidence);
  if (precision == Precision::to_the_bit) add(all, by_factor(evidence)), add(all, by_late_bias(evidence, recorded));
  add(all, moved_in(whole, evidence, want));
  std::vector<Reading> readings = likely(evidence, all);
  if (readings.empty() || !readings[0].is_whole()) {
    add(all, by_alteration(recorded, precision, evidence));  // these take long
    readings = likely(evidence, all);
  }
  readings.resize(std::min<std::size_t>(readings.size(), !readings.empty() && readings[0].is_ambiguous ? 2 : 1));
  return {std::move(readings), {describe_pattern(evidence, std::ssize(whole.parts))}};
}

}  // namespace

RecordedExplanation explain(const RecordedGemm& recorded, Precision precision) {
  return explained(recorded, precision);
}
RecordedExplanation explain(const RecordedLayer& recorded, Precision precision) {
  return explained(recorded, precision);
}

RecordedExplanation explain_recorded(const Safetensors& file, const RecordedVerdict& verdict) {
  if (verdict.first.empty()) return {};
  if (file.metadata.at("op") == "gemm") {
    const CodeDifference& first = verdict.first.front();
    return explain(piece_with(stored_gemm(file), memory_of_a_look, first.row, first.col), precision_of(verdict.judge));
  }
  RecordedExplanation all;
  const auto layers = stored_layers(file);
  for (std::size_t n = 0; n < layers.size(); ++n) {
    const RecordedPart& part = verdict.parts.at(n);
    if (part.first.empty()) continue;
    const auto& [tensor, row, col, dtype, got, want, within] = part.first.front();
    add(all, explain(piece_with(layers[n], memory_of_a_look, tensor, row, col), precision_of(part.judge)));
  }
  return all;
}

}  // namespace lockstep
