// A picture in a terminal, at most `width` columns wide: what html.h shows, in characters.
//
//   grid       . right, o wrong in part, x wrong, N NaN or never written; | and - between ranks, : and . between chunks
//   timeline   a line for each lane: G gemm, C copy, R reduce, ~ wait, o other, > signal; ! where it is wrong first, A
//              and B what is not ordered, ? what waits for ever
#pragma once

#include "oracle/picture/picture.h"

namespace lockstep {

struct TextOptions {
  Index width = 100;
  bool colour = false;  // what is wrong in red, for a terminal
};

// What fits such a text: give it to picture_of (picture_of.h).
inline constexpr GridLimit text_grid{40, 72, 40 * 72};

std::string text_of(const Picture& picture, const TextOptions& options = {});

}  // namespace lockstep
