#include "oracle/picture/magnitudes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep {
namespace {

constexpr int most_squares = 48;  // along a side

std::map<std::string, Index> wrong_by_output(const Outputs& outputs) {
  std::map<std::string, Index> wrong;
  for (const Part& part : parts_of(outputs))
    for_each_element(outputs, part, [&](const SeenElement& e) { wrong[part.output] += e.is_wrong ? 1 : 0; });
  return wrong;
}

using Squares = std::map<std::pair<int, int>, Index>;

void add(Scatter& scatter, Squares& squares, const SeenElement& e) {
  const double got = decode(scatter.type, e.got), want = decode(scatter.type, e.want), error = std::abs(got - want);
  if (!std::isfinite(got) || !std::isfinite(want)) {
    ++scatter.not_finite;
  } else if (want == 0) {
    ++scatter.value_zero;
  } else if (error != 0) {  // +0 for -0 has none
    ++squares[{std::ilogb(want), std::ilogb(error)}], ++scatter.shown;
  }
}

int floor_div(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

int step_of(const Squares& squares) {
  if (squares.empty()) return 1;
  const auto [least, most] =
      std::ranges::minmax_element(squares, {}, [](const auto& square) { return square.first.second; });
  const int wide = squares.rbegin()->first.first - squares.begin()->first.first;
  const int high = most->first.second - least->first.second;
  return 1 + std::max(wide, high) / most_squares;
}

std::size_t bar_of(double utilisation) {
  if (!std::isfinite(utilisation)) return Histogram::count - 1;
  if (utilisation == 0) return 0;
  if (utilisation > std::ldexp(1.0, Histogram::highest)) return Histogram::count - 2;
  const int power = static_cast<int>(std::ceil(std::log2(utilisation)));
  return static_cast<std::size_t>(1 + std::max(power, Histogram::lowest) - Histogram::lowest);
}

void add(Histogram& histogram, DType type, const SeenElement& e) {
  const double error = e.bound->error();
  if (e.bound->is_known() || !std::isfinite(error) || error == 0) {
    ++histogram.known;
    return;
  }
  const std::size_t which = bar_of(std::abs(decode(type, e.got) - e.bound->value) / error);
  Histogram::Bar& bar = histogram.bars[which];
  ++(e.is_wrong ? bar.wrong : bar.right);
  if (e.is_wrong && which < first_beyond) ++histogram.hidden;
}

}  // namespace

std::string bar_name(std::size_t bar) {
  if (bar == 0) return "0";
  if (bar == Histogram::count - 1) return "not finite";
  if (bar == Histogram::count - 2) return fmt::format("> 2^{}", Histogram::highest);
  const int power = static_cast<int>(bar) - 1 + Histogram::lowest;
  return power == 0 ? "<= 1" : fmt::format("<= 2^{}", power);
}

std::optional<Scatter> scatter_of(const Outputs& outputs) {
  if (outputs.by_symbols) return {};
  const auto wrong = wrong_by_output(outputs);
  const auto most = std::ranges::max_element(wrong, {}, [](const auto& named) { return named.second; });
  if (most == wrong.end() || most->second == 0) return {};
  Scatter scatter{};
  scatter.output = most->first;
  Squares squares;
  for (const Part& part : parts_of(outputs)) {
    if (part.output != scatter.output) continue;
    scatter.type = part.type;
    for_each_element(outputs, part, [&](const SeenElement& e) {
      if (e.is_wrong) add(scatter, squares, e);
    });
  }
  scatter.step = step_of(squares);
  Squares wide;
  for (const auto& [at, count] : squares)
    wide[{floor_div(at.first, scatter.step), floor_div(at.second, scatter.step)}] += count;
  for (const auto& [at, count] : wide) scatter.squares.push_back({at.first, at.second, count});
  return scatter;
}

std::optional<Histogram> utilisation_of(const Outputs& outputs) {
  if (outputs.bounds.empty()) return {};
  Histogram histogram;
  for (const Part& part : parts_of(outputs))
    for_each_element(outputs, part, [&](const SeenElement& e) {
      if (e.bound) add(histogram, part.type, e);
    });
  return histogram;
}

}  // namespace lockstep
