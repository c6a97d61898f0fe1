#include "fused/schedules/external_all_gather.h"

#include "fused/schedules/beside.h"

namespace lockstep {

void external_all_gather(Flow& flow, const AllGatherGemm& ring, bool aggregate, const std::string& name,
                         const std::vector<Chunks>& tensors) {
  beside(
      flow, [&](Flow& f) { ring_all_gather_gemm(f, ring, aggregate); },
      [&](Flow& f) { direct_all_gather(f, name, "external", tensors); });
}

}  // namespace lockstep
