// What a report of a case shows, as data: nothing here is drawn yet. Writers: html.h, text.h, and svg.h for one part.
#pragma once

#include "oracle/diagnosis/advice.h"
#include "oracle/picture/grid.h"
#include "oracle/picture/magnitudes.h"
#include "oracle/picture/timeline.h"

namespace lockstep {

struct Picture {
  std::string case_line;
  std::string outcome;  // "disagree"
  std::string judge;
  std::string finding{};                 // one sentence; empty where all agree
  std::string why{};                     // the explanation, one sentence
  std::string guilty{};                  // the operation that is wrong first
  std::vector<std::string> readings{};   // of the wrong values
  std::vector<std::string> not_shown{};  // a sentence for all that is left out, with the reason
  std::vector<Grid> grids{};             // of the outputs that have something wrong, or of all where nothing is
  std::vector<WrongOutput> first{};      // wrong elements
  std::optional<Scatter> scatter{};
  std::optional<Histogram> utilisation{};
  std::optional<Timeline> timeline{};
  std::vector<Command> commands{};
};

}  // namespace lockstep
