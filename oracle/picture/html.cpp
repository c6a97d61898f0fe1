#include "oracle/picture/html.h"

#include "oracle/picture/sentences.h"
#include "oracle/picture/style.h"
#include "oracle/picture/svg.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

// What the browser holds the page to.
constexpr std::string_view fetches_nothing =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
    "data:\">";

std::string key(std::string_view classes, std::string_view words) {
  return fmt::format(
      "<li><svg width=\"16\" height=\"16\" aria-hidden=\"true\"><rect x=\".5\" y=\".5\" width=\"15\" height=\"15\" "
      "class=\"{}\"/></svg>{}</li>",
      classes, words);
}

std::string line_key(std::string_view classes, std::string_view words) {
  return fmt::format(
      "<li><svg width=\"22\" height=\"16\" aria-hidden=\"true\"><path d=\"M0 8H22\" class=\"{}\"/></svg>{}</li>",
      classes, words);
}

std::string figure(std::string_view caption, std::string_view content) {
  return fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", escaped(caption), content);
}

std::string boxed(std::string_view svg, std::string_view classes = "box") {
  return fmt::format("<div class=\"{}\" tabindex=\"0\">{}</div>", classes, svg);
}

std::string header(const Picture& p) {
  const bool good = p.finding.empty();
  std::string html = fmt::format("<header><span class=\"tag {}\">{}</span><span class=\"tag plain\">judge {}</span>",
                                 good ? "good" : "bad", escaped(p.outcome), escaped(p.judge));
  // What it is, and then the sentence.
  const std::string words = headline(p);
  const std::size_t colon = words.find(": ");
  html += fmt::format("<h1>{}</h1>", escaped(words.substr(0, colon)));
  if (colon != words.npos) html += fmt::format("<p>{}</p>", escaped(words.substr(colon + 2)));
  if (!rest(p).empty()) html += fmt::format("<p>{}</p>", escaped(rest(p)));
  if (!p.why.empty()) html += fmt::format("<p>{}</p>", escaped(p.why));
  if (!p.guilty.empty()) html += fmt::format("<p>Wrong first: <strong>{}</strong></p>", escaped(p.guilty));
  for (const std::string& reading : p.readings) html += fmt::format("<p>Reads as {}</p>", escaped(reading));
  return html + fmt::format("<pre>{}</pre></header>\n", escaped(p.case_line));
}

std::string where(const Picture& p) {
  if (p.grids.empty()) return "";
  std::string html = "<section><h2>Where</h2>";
  for (const Grid& grid : p.grids)
    html += fmt::format("<h3>Call {}, {} ({})</h3>", grid.call, escaped(grid.output), name(grid.type)) +
            figure(caption(grid), boxed(svg_of(grid)));
  return html + "<ul class=\"key\">" + key("wrong", "wrong") + key("nan", "NaN or never written") +
         line_key("rank", "between ranks") + line_key("chunk", "between chunks") + "</ul></section>\n";
}

std::string how_large(const Picture& p) {
  std::string html;
  if (p.scatter && !p.scatter->squares.empty())
    html += "<div><h3>Error against magnitude</h3>" +
            figure(caption(*p.scatter), boxed(svg_of(*p.scatter), "box fit")) + "</div>";
  if (p.utilisation)
    html += "<div><h3>Utilisation of the bound</h3>" +
            figure(caption(*p.utilisation), boxed(svg_of(*p.utilisation), "box fit")) + "</div>";
  return html.empty() ? "" : "<section><h2>How large</h2><div class=\"two\">" + html + "</div></section>\n";
}

std::string row_of(const WrongOutput& e) {
  const auto cell = [&](std::uint32_t code, std::string_view words) {
    return fmt::format("<td class=\"n\">{} <code>{}</code>{}</td>", value_words(e.type, code), code_words(e.type, code),
                       words);
  };
  const std::string values = e.by_symbols ? "<td colspan=\"2\">what reached it is not what the layer says</td>"
                                          : cell(e.got, is_poison(e) ? " never written" : "") + cell(e.want, "");
  return fmt::format(
      "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td>{}</tr>",
      e.call, escaped(e.output), e.rank, e.row, e.col, values);
}

std::string first(const Picture& p) {
  if (p.first.empty()) return "";
  std::string html =
      "<section><h2>The first wrong elements</h2><div class=\"box\" tabindex=\"0\"><table><thead><tr><th "
      "class=\"n\">call</th><th>output</th><th class=\"n\">rank</th><th class=\"n\">row</th><th class=\"n\">column</th>"
      "<th class=\"n\">got</th><th class=\"n\">want</th></tr></thead><tbody>";
  for (const WrongOutput& element : p.first) html += row_of(element);
  return html + "</tbody></table></div></section>\n";
}

std::string when(const Picture& p) {
  if (!p.timeline) return "";
  return "<section><h2>When</h2>" +
         figure(caption(*p.timeline), "<div class=\"box lanes\" tabindex=\"0\"><div class=\"stay\">" +
                                          svg_of_lanes(*p.timeline) + "</div><div class=\"run\">" +
                                          svg_of_bars(*p.timeline) + "</div></div>") +
         "<ul class=\"key\">" + key("gemm", "gemm") + key("move", "copy") + key("reduce", "reduce") +
         key("other", "other") + key("wait", "wait") + line_key("signal", "signal to wait") +
         line_key("race", "nothing orders the two") + "</ul></section>\n";
}

std::string go_on(const Picture& p) {
  std::string html = "<section><h2>To go on</h2>";
  for (const Command& command : p.commands)
    html += fmt::format("<div class=\"soft\">{}</div><pre>{}</pre>", escaped(command.why), escaped(command.line));
  if (p.not_shown.empty()) return html + "</section>\n";
  html += "<h3>Not shown</h3><ul class=\"left\">";
  for (const std::string& sentence : p.not_shown) html += fmt::format("<li>{}</li>", escaped(sentence));
  return html + "</ul></section>\n";
}

}  // namespace

std::string html_of(const Picture& p) {
  return fmt::format(
             "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
             "content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light "
             "dark\">{}<link "
             "rel=\"icon\" href=\"data:,\"><title>Lockstep: {}</title><style>{}\n{}</style></head><body>\n<svg "
             "width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\">{}</svg>\n<main>\n",
             fetches_nothing, escaped(p.outcome), svg_style(), page_style(), svg_definitions()) +
         header(p) + where(p) + how_large(p) + first(p) + when(p) + go_on(p) + "</main></body></html>\n";
}

}  // namespace lockstep
