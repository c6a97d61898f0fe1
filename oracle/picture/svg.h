// The parts of a picture as SVG, each an element of its own. What is pointed at says what it is (<title>); what is
// wrong has a hatch or a shape of its own besides its colour, and attributes data-* that say it to programs:
//
//   <g class="grid" data-call data-output data-wrong>     one of these for every grid
//   <rect class="wrong" data-row data-col data-count>     a cell: its first row and column in the grid, how many of its
//                                                         elements are wrong; class "nan" where one is a stray NaN
//   <rect class="bar" data-kind data-mark>                an operation; data-mark="guilty", "hazard", "blocked" or none
//
// Colours are variables of style.h. Everything that is not from here is escaped.
#pragma once

#include "oracle/picture/picture.h"
#include "oracle/report/escaped.h"

namespace lockstep {

std::string svg_of(const Grid& grid);
std::string svg_of(const Scatter& scatter);
std::string svg_of(const Histogram& histogram);
// Names of the lanes, and beside them what happens on them, of one height.
std::string svg_of_lanes(const Timeline& timeline);
std::string svg_of_bars(const Timeline& timeline);

// A file of its own: names and operations, with style and title.
std::string standalone_svg(const Timeline& timeline, std::string_view title);

// Hatches and arrow heads, which the others refer to: once a page.
std::string svg_definitions();

}  // namespace lockstep
