// What stands beside the pieces of a picture, whoever writes it.
#pragma once

#include "oracle/picture/picture.h"

namespace lockstep {

// The finding, or the beginning of a long one, whose `rest` stands below it.
std::string headline(const Picture& picture);
std::string rest(const Picture& picture);

// "1 row", "3 rows"
std::string counted(Index count, std::string_view noun);

std::string caption(const Grid& grid);
std::string caption(const Scatter& scatter);
std::string caption(const Histogram& histogram);
std::string caption(const Timeline& timeline);

}  // namespace lockstep
