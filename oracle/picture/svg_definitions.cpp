#include "oracle/picture/svg.h"

namespace lockstep {

std::string svg_definitions() {
  return R"svg(<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">)svg"
         R"svg(<rect width="5" height="5" style="fill:var(--wrong)"/><path d="M0 0V5" style="stroke:var(--onwrong);)svg"
         R"svg(stroke-width:2.4"/></pattern><pattern id="rings" width="7" height="7" patternUnits="userSpaceOnUse">)svg"
         R"svg(<rect width="7" height="7" style="fill:var(--nan)"/><circle cx="3.5" cy="3.5" r="1.8" )svg"
         R"svg(style="fill:none;stroke:var(--onnan);stroke-width:1.2"/></pattern><marker id="head" viewBox="0 0 6 6" )svg"
         R"svg(refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z" )svg"
         R"svg(style="fill:var(--soft)"/></marker></defs>)svg";
}

}  // namespace lockstep
