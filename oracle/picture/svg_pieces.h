// Small pieces of SVG that the pictures are put together from.
#pragma once

#include "oracle/picture/svg.h"

#include <fmt/format.h>

namespace lockstep {

inline std::string titled(std::string_view text) { return fmt::format("<title>{}</title>", escaped(text)); }

inline std::string text_at(double x, double y, std::string_view text, std::string_view classes = "") {
  return fmt::format("<text x=\"{:.5g}\" y=\"{:.5g}\" class=\"{}\">{}</text>", x, y, classes, escaped(text));
}

inline std::string line_at(double x1, double y1, double x2, double y2, std::string_view classes) {
  return fmt::format("<path d=\"M{:.5g} {:.5g}L{:.5g} {:.5g}\" class=\"{}\"/>", x1, y1, x2, y2, classes);
}

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

inline std::string rect_at(const Box& box, std::string_view classes, std::string_view title,
                           std::string_view attributes = "") {
  return fmt::format("<rect x=\"{:.5g}\" y=\"{:.5g}\" width=\"{:.5g}\" height=\"{:.5g}\" class=\"{}\" {}>{}</rect>",
                     box.x, box.y, box.width, box.height, classes, attributes, titled(title));
}

inline std::string svg_element(double width, double height, std::string_view label, std::string_view content) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
      "{0:.0f} {1:.0f}\" aria-label=\"{2}\">{3}</svg>\n",
      width, height, escaped(label), content);
}

}  // namespace lockstep
