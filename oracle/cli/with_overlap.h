// A case under the configuration in a file, which --overlap names, as the layer that --layer names; without, as it is.
#pragma once

#include "fused/config/overlap_config_json.h"
#include "oracle/inputs/configured.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

namespace lockstep {

inline Case with_overlap(Case a_case, const std::optional<std::string>& path, const std::optional<std::string>& layer) {
  if (!path && layer)
    refuse("--layer {} goes with --overlap: it names the layer in the configuration", in_quotes(*layer));
  if (!path) return a_case;
  const OverlapConfig config = read_overlap_config(*path, a_case.first().tp);
  for (Call& call : a_case.calls) call = configured(call, config, layer);
  validate(a_case);
  return a_case;
}

}  // namespace lockstep
