#include "oracle/picture/style.h"
#include "oracle/picture/svg_pieces.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

constexpr double top = 28, lane_height = 20, bar_height = 14, names_width = 176;
constexpr std::size_t most_signals = 150;

std::string_view class_of(const Bar& bar) {
  if (!bar.ends) return "blocked";
  if (bar.kind == "gemm") return "gemm";
  if (bar.kind == "copy") return "move";
  if (bar.kind == "reduce") return "reduce";
  return bar.kind == "wait" ? "wait" : "other";
}

std::string_view name_of(BarMark mark) {
  constexpr std::string_view names[] = {"none", "guilty", "hazard", "blocked"};
  return names[static_cast<std::size_t>(mark)];
}

bool is_pointed_at(const Bar& bar) { return bar.mark != BarMark::none; }

struct Layout {
  std::vector<double> lane_y;  // top of its bars
  double width = 0, height = 0;
};

// Lanes with something to point at have room for a flag above.
Layout layout_of(const Timeline& timeline) {
  std::vector<Index> bars(timeline.lanes.size());
  std::vector<bool> flagged(timeline.lanes.size());
  for (const Bar& bar : timeline.bars) {
    ++bars[static_cast<std::size_t>(bar.lane)];
    if (is_pointed_at(bar)) flagged[static_cast<std::size_t>(bar.lane)] = true;
  }
  Layout layout;
  double y = top;
  for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    y += (timeline.lanes[lane].is_first_of_rank && lane > 0 ? 10 : 0) + (flagged[lane] ? 16 : 0);
    layout.lane_y.push_back(y);
    y += lane_height;
  }
  const Index most = bars.empty() ? 0 : *std::ranges::max_element(bars);
  layout.width = std::clamp(26.0 * static_cast<double>(most), 820.0, 2600.0);
  layout.height = y + 8;
  return layout;
}

std::string title_of(const Timeline& timeline, const Bar& bar) {
  const std::string split = bar.split < 0 ? "" : fmt::format(", split {}", bar.split);
  return fmt::format("call {} operation {}, rank {}, {}: {}{}\n{}\n{:.4g} to {:.4g} {}", bar.step.call, bar.step.op,
                     bar.rank, timeline.lanes[static_cast<std::size_t>(bar.lane)].name, bar.kind, split, bar.details,
                     bar.start, bar.end, timeline.unit);
}

struct Bars {
  const Timeline& timeline;
  Layout layout = layout_of(timeline);
  double right = layout.width - 60;  // where the time ends: words may stand behind it
  std::string out{};

  double x(double at) const { return 10 + (right - 10) * (timeline.length == 0 ? 0 : at / timeline.length); }
  double y(const Bar& bar) const { return layout.lane_y[static_cast<std::size_t>(bar.lane)]; }
  const Bar& bar(std::size_t which) const { return timeline.bars[which]; }

  void axis() {
    const double step = std::pow(10, std::floor(std::log10(std::max(1.0, timeline.length)))) / 2;
    const double wide = timeline.length / step > 12 ? 2 * step : step;
    for (double at = 0; at <= timeline.length; at += wide) {
      out += line_at(x(at), top - 4, x(at), layout.height, "rule");
      out += text_at(x(at), 16, fmt::format("{:.4g}", at), "soft mid");
    }
    for (std::size_t lane = 0; lane < timeline.lanes.size(); ++lane)
      if (timeline.lanes[lane].is_first_of_rank && lane > 0)
        out += line_at(0, layout.lane_y[lane] - 6, layout.width, layout.lane_y[lane] - 6, "axis");
  }

  // A moment: a signal points to the right, all others are a tick.
  void moment(const Bar& b) {
    const std::string what =
        fmt::format("class=\"bar tick\" data-kind=\"{}\" data-mark=\"{}\"", b.kind, name_of(b.mark));
    const std::string path = b.kind == "signal" ? fmt::format("M{0:.5g} {1:.5g}l5 5l-5 5z", x(b.start), y(b) + 2)
                                                : fmt::format("M{:.5g} {:.5g}v{}", x(b.start), y(b), bar_height);
    out += fmt::format("<path d=\"{}\" {}>{}</path>", path, what, titled(title_of(timeline, b)));
  }

  void draw_bar(const Bar& b) {
    if (b.end == b.start) return moment(b);
    const double wide = std::max(1.5, x(b.end) - x(b.start) - 1);
    out += rect_at({x(b.start), y(b), wide, bar_height}, fmt::format("bar {}", class_of(b)), title_of(timeline, b),
                   fmt::format("rx=\"2\" data-kind=\"{}\" data-mark=\"{}\"", b.kind, name_of(b.mark)));
    const std::string words = b.split < 0 ? b.kind : fmt::format("{} {}", b.kind, b.split);
    if (b.kind != "wait" && wide > 7.0 * static_cast<double>(words.size()))
      out += text_at(x(b.start) + 4, y(b) + 11, words, "in");
  }

  void flag(const Bar& b, std::string_view words) {
    const double at = x(b.start);
    out += fmt::format("<rect x=\"{:.5g}\" y=\"{:.5g}\" width=\"{:.5g}\" height=\"{}\" class=\"outline\"/>", at - 2,
                       y(b) - 2, std::max(6.0, x(b.end) - at + 3), bar_height + 4);
    const bool is_late = at > right - 140;
    out += text_at(is_late ? at + 4 : at - 2, y(b) - 6, words, is_late ? "flag end" : "flag");
  }

  void signals() {
    const bool all = timeline.signals.size() <= most_signals;
    for (const Arrow& arrow : timeline.signals) {
      const Bar &from = bar(arrow.from), &to = bar(arrow.to);
      if (!all && !is_pointed_at(from) && !is_pointed_at(to)) continue;
      const double x1 = x(from.end) + 3, y1 = y(from) + 7, x2 = x(to.end),
                   y2 = y(to) + (y(to) > y(from) ? 0 : bar_height);
      out += fmt::format(
          "<path class=\"signal\" marker-end=\"url(#head)\" d=\"M{:.5g} {:.5g}C{:.5g} {:.5g} {:.5g} "
          "{:.5g} {:.5g} {:.5g}\"/>",
          x1, y1, x1 + 14, y1, x2, y1 + (y2 - y1) / 2, x2, y2);
    }
  }

  void flags() {
    std::size_t hazards = 0;
    for (const Bar& b : timeline.bars) {
      if (b.mark == BarMark::guilty) flag(b, b.ends ? "wrong first" : "wrong first, waits for ever");
      if (b.mark == BarMark::blocked) flag(b, "waits for ever");
      if (b.mark == BarMark::hazard) flag(b, hazards++ == 0 ? "A, not ordered" : "B, not ordered");
    }
    if (!timeline.hazard) return;
    const Bar &a = bar(timeline.hazard->from), &b = bar(timeline.hazard->to);
    out += line_at((x(a.start) + x(a.end)) / 2, y(a) + 7, (x(b.start) + x(b.end)) / 2, y(b) + 7, "race");
  }

  std::string draw() {
    axis();
    for (const Bar& b : timeline.bars) draw_bar(b);
    signals();
    flags();
    return out;
  }
};

std::string svg_lanes(const Timeline& timeline, const Layout& layout) {
  std::string out = text_at(0, 16, timeline.unit, "soft");
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    const Lane& lane = timeline.lanes[i];
    const double y = layout.lane_y[i] + 11;
    if (lane.is_first_of_rank) out += text_at(0, y, fmt::format("rank {}", lane.rank), "strong");
    out += text_at(names_width - 8, y, lane.name, "soft end lane");
  }
  return out;
}

constexpr std::string_view label = "The schedule as a timeline, a row for each lane of each rank";

}  // namespace

std::string svg_of_lanes(const Timeline& timeline) {
  const Layout layout = layout_of(timeline);
  return svg_element(names_width, layout.height, "Names of the lanes", svg_lanes(timeline, layout));
}

std::string svg_of_bars(const Timeline& timeline) {
  Bars bars{timeline};
  const std::string drawn = bars.draw();
  return svg_element(bars.layout.width, bars.layout.height, label, drawn);
}

namespace {

constexpr double line_height = 16;

// In lines of at most `most` characters, as far as words allow.
std::vector<std::string> wrapped(std::string_view words, std::size_t most) {
  std::vector<std::string> lines;
  while (words.size() > most && words.rfind(' ', most) != words.npos) {
    const std::size_t space = words.rfind(' ', most);
    lines.emplace_back(words.substr(0, space));
    words.remove_prefix(space + 1);
  }
  lines.emplace_back(words);
  return lines;
}

}  // namespace

std::string standalone_svg(const Timeline& timeline, std::string_view title) {
  Bars bars{timeline};
  const std::string drawn = bars.draw();
  const double width = names_width + bars.layout.width;
  const auto lines = wrapped(title, static_cast<std::size_t>(width / 8));
  const double above = 10 + line_height * static_cast<double>(lines.size()), height = above + bars.layout.height;
  std::string out = fmt::format("<style>{}</style>{}<rect width=\"{}\" height=\"{}\" style=\"fill:var(--page)\"/>",
                                svg_style(), svg_definitions(), width, height);
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += text_at(8, line_height * static_cast<double>(i + 1), lines[i], "strong");
  out += fmt::format("<g transform=\"translate(8 {0})\">{1}</g><g transform=\"translate({2} {0})\">{3}</g>", above,
                     svg_lanes(timeline, bars.layout), names_width, drawn);
  return svg_element(width, height, title, out);
}

}  // namespace lockstep
