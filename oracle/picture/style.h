// Colours, light and dark as the reader's system says, and how the pieces of a report stand on a page. Contrast of text
// is at least 4.5 in both.
#pragma once

#include <string_view>

namespace lockstep {

std::string_view svg_style();   // what a picture needs
std::string_view page_style();  // what a page needs besides

}  // namespace lockstep
