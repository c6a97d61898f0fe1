// What wrong values may be read as: hypotheses held against every differing element of an output.
//
// An element that is right though the hypothesis says otherwise counts against it, within the rows and columns of the
// ranks where it explains something. A reading that does not explain all explains at least a quarter of what differs,
// and more elements the more it supposes.
#pragma once

#include "oracle/diagnosis/hypothesis.h"

namespace lockstep {

struct Reading {
  std::string words;   // "rank 2 missing"
  std::string output;  // "y", "dx", "dw", "db", "main_grad"
  // Of what it explains: "call 0, y, columns 0..15, rank 1 of 4 (rows 4..7)"; of a world, which group.
  std::string where;
  Index call = 0;
  Index explains = 0, of = 0;  // differing elements of that output of that call
  Index against = 0;           // right elements that it says are wrong
  Index cost = 0;              // how much it supposes
  bool is_ambiguous = false;   // another reading of the output explains as much
  bool is_whole() const { return explains == of && against == 0; }
};

// "rank 2 missing in 48 of 48 elements (call 0, y, ...)"; `of_what` comes after "elements".
std::string print(const Reading& reading, std::string_view of_what = "");

// Where elements lie, in words.
using Where = std::function<std::string(const std::vector<const Element*>&)>;

// Best first: those that explain all, then by what they explain less what is against them, and by what they suppose;
// below one that explains all, only those that do too. None if nothing fits.
std::vector<Reading> readings_by(const Evidence& evidence, const Hypotheses& hypotheses, const Where& where);

}  // namespace lockstep
