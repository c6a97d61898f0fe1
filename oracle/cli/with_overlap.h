// A case under the configuration in a file, which --overlap names; without one, the case as it is.
#pragma once

#include "fused/config/overlap_config_json.h"
#include "oracle/inputs/configured.h"

namespace lockstep {

inline Case with_overlap(Case a_case, const std::optional<std::string>& path) {
  if (!path) return a_case;
  const OverlapConfig config = read_overlap_config(*path, a_case.first().tp);
  for (Call& call : a_case.calls) call = configured(call, config);
  validate(a_case);
  return a_case;
}

}  // namespace lockstep
