// What stands beside the pieces of a picture, whoever writes it.
#pragma once

#include "oracle/picture/picture.h"

namespace lockstep {

std::string headline(const Picture& picture);
std::string caption(const Grid& grid);
std::string caption(const Scatter& scatter);
std::string caption(const Histogram& histogram);
std::string caption(const Timeline& timeline);

}  // namespace lockstep
