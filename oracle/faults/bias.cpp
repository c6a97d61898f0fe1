#include "oracle/faults/bias.h"

#include "oracle/faults/edit.h"
#include "oracle/faults/words.h"

namespace lockstep {
namespace {

Index one_site_if_biased(const Plan& plan) { return has_bias(plan) ? 1 : 0; }

Plan do_not_advance(Plan plan, Index) {
  for (Index rank = 0; rank < plan.ranks; ++rank) {
    const auto gemms = bodies<Gemm>(plan, rank);
    for (Gemm* gemm : gemms)
      if (gemm->bias) gemm->bias->offset = gemms.front()->bias->offset;
  }
  return plan;
}

Plan add_on_rank_0_only(Plan plan, Index) {
  for (Index rank = 1; rank < plan.ranks; ++rank)
    for (Gemm* gemm : bodies<Gemm>(plan, rank)) gemm->bias.reset();
  return plan;
}

}  // namespace

Fault bias_not_advanced() {
  return {"bias_not_advanced",
          FaultClass::bias,
          "every split adds the bias of split 0 (NVIDIA/TransformerEngine #1142, lost again and #1711)",
          one_site_if_biased,
          do_not_advance,
          [](const Plan&, Index) {
            return std::string(
                "the bias pointer is not advanced from split to split, so every split adds the bias of split 0");
          }};
}

Fault bias_rank0_only() {
  return {"bias_rank0_only",
          FaultClass::bias,
          "only rank 0 adds its bias, though every rank has its own",
          one_site_if_biased,
          add_on_rank_0_only,
          [](const Plan& plan, Index) {
            return fmt::format("only rank 0 adds its bias, that of {} is missing from the sum",
                               words_for("rank", {1, plan.ranks}));
          }};
}

}  // namespace lockstep
