// A picture as one HTML file: nothing is fetched from anywhere, and there is no script.
#pragma once

#include "oracle/picture/picture.h"

namespace lockstep {

std::string html_of(const Picture& picture);

}  // namespace lockstep
