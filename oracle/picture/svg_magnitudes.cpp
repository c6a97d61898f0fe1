#include "oracle/picture/svg_pieces.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// Of both plots.
constexpr double left = 52, top = 30, width = 356, height = 220, bottom = top + height;

struct Axis {
  int low = 0, high = 1;  // powers of two
  double room = 0;
  double at(double power) const { return room * (power - low) / (high - low); }
  int tick() const { return std::max(1, (high - low + 5) / 6); }
};

struct ScatterSvg {
  const Scatter& scatter;
  Axis value{.room = width}, error{.room = height};
  std::string out{};

  double x(double power) const { return left + value.at(power); }
  double y(double power) const { return bottom - error.at(power); }

  void fit() {
    value.low = error.low = 4096, value.high = error.high = -4096;
    for (const auto& square : scatter.squares) {
      value.low = std::min(value.low, square.value * scatter.step);
      value.high = std::max(value.high, (square.value + 1) * scatter.step);
      error.low = std::min(error.low, square.error * scatter.step);
      error.high = std::max(error.high, (square.error + 1) * scatter.step);
    }
    value.low -= 1, value.high += 1, error.low -= 1, error.high += 1;
  }

  void axes() {
    for (int power = value.low; power <= value.high; power += value.tick()) {
      out += line_at(x(power), top, x(power), bottom, "rule");
      out += text_at(x(power), bottom + 16, fmt::format("2^{}", power), "soft mid");
    }
    for (int power = error.low; power <= error.high; power += error.tick()) {
      out += line_at(left, y(power), left + width, y(power), "rule");
      out += text_at(left - 6, y(power) + 4, fmt::format("2^{}", power), "soft end");
    }
    out += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", left, top, bottom, left + width);
    out += text_at(left + width / 2, bottom + 34, "the value wanted", "mid");
    out += text_at(left - 6, 14, "error", "end");
  }

  // error = value * 2^shift, as far as it lies within the plot.
  void guide(int shift, std::string_view name) {
    const double from = std::max<double>(value.low, error.low - shift);
    const double to = std::min<double>(value.high, error.high - shift);
    if (from >= to) return;
    out += line_at(x(from), y(from + shift), x(to), y(to + shift), "guide");
    out += text_at(std::min(x(to) - 4, left + width - 4), y(to + shift) + 14, name, "soft end halo");
  }

  void dots() {
    const double half = scatter.step / 2.0;
    for (const auto& square : scatter.squares) {
      const double radius = std::min(11.0, 3 + 1.2 * std::log2(static_cast<double>(square.count)));
      out += fmt::format("<circle cx=\"{:.5g}\" cy=\"{:.5g}\" r=\"{:.3g}\" class=\"dot\">{}</circle>",
                         x(square.value * scatter.step + half), y(square.error * scatter.step + half), radius,
                         titled(fmt::format("{} wrong: value 2^{}..2^{}, error 2^{}..2^{}", square.count,
                                            square.value * scatter.step, (square.value + 1) * scatter.step,
                                            square.error * scatter.step, (square.error + 1) * scatter.step)));
    }
  }

  std::string draw() {
    fit();
    axes();
    dots();
    guide(0, "as large as the value");
    guide(-format(scatter.type).fraction_bits, fmt::format("last place of {}", name(scatter.type)));
    return svg_element(left + width + 16, bottom + 42, "Error against magnitude", out);
  }
};

double height_of(Index count, Index most) {
  return count == 0
             ? 0
             : 8 + (height - 28) * std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most));
}

// In as many characters as a bar is wide.
std::string rounded(Index count) {
  if (count < 1000) return fmt::format("{}", count);
  return count < 1'000'000 ? fmt::format("{}k", (count + 500) / 1000)
                           : fmt::format("{}M", (count + 500'000) / 1'000'000);
}

}  // namespace

std::string svg_of(const Scatter& scatter) { return scatter.squares.empty() ? "" : ScatterSvg{scatter}.draw(); }

std::string svg_of(const Histogram& histogram) {
  Index most = 1;
  for (const auto& bar : histogram.bars) most = std::max(most, bar.right + bar.wrong);
  const double pitch = width / static_cast<double>(Histogram::count);
  std::string out;
  for (std::size_t i = 0; i < Histogram::count; ++i) {
    const auto& bar = histogram.bars[i];
    const double x = left + pitch * static_cast<double>(i), all = height_of(bar.right + bar.wrong, most);
    if (all > 0) {
      const double wrong = all * static_cast<double>(bar.wrong) / static_cast<double>(bar.right + bar.wrong);
      const std::string words = fmt::format("utilisation {}: {} right, {} wrong", bar_name(i), bar.right, bar.wrong);
      if (bar.right > 0) out += rect_at({x + 1, bottom - all, pitch - 2, all - wrong}, "right", words);
      if (bar.wrong > 0) out += rect_at({x + 1, bottom - wrong, pitch - 2, wrong}, "wrong", words);
      out += text_at(x + pitch / 2, bottom - all - 4, rounded(bar.right + bar.wrong), "mid soft small");
    }
    if (i % 4 == 1 && i < Histogram::count - 3)
      out +=
          text_at(x + pitch, bottom + 16, fmt::format("2^{}", static_cast<int>(i) - 1 + Histogram::lowest), "soft mid");
  }
  out += text_at(left + pitch / 2, bottom + 16, "0", "soft mid");
  // The last bar but one is named where there is none behind it.
  const std::size_t last = Histogram::count - (histogram.bars.back().right + histogram.bars.back().wrong > 0 ? 1 : 2);
  out += text_at(left + pitch * static_cast<double>(last + 1), bottom + 16, bar_name(last), "soft end");
  const double bound = left + pitch * static_cast<double>(first_beyond);
  out += line_at(bound, top - 18, bound, bottom, "guide");
  out += text_at(bound + 4, top - 10, "beyond the bound", "soft");
  out += fmt::format("<path class=\"axis\" d=\"M{} {}H{}\"/>", left, bottom, left + width);
  out += text_at(left + width / 2, bottom + 34, "error, in units of the bound", "mid");
  return svg_element(left + width + 16, bottom + 42, "Utilisation of the bound", out);
}

}  // namespace lockstep
