#include "fused/schedules/bulk_all_gather.h"

#include "fused/schedules/beside.h"

namespace lockstep {

void bulk_all_gather(Flow& flow, const std::string& name, const std::vector<Chunks>& tensors,
                     const std::vector<Gemm>& gemms) {
  beside(
      flow, [&](Flow& f) { compute(f, gemms); },
      [&](Flow& f) { direct_all_gather(f, name, "communication", tensors); });
}

}  // namespace lockstep
