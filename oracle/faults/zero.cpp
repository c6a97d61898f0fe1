// Empty and single rows.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::zero;

bool has_no_products(const PlanOp& op) {
  const auto* gemm = std::get_if<Gemm>(&op.body);
  return gemm && gemm->a.k() == 0 && !gemm->d.empty();
}

Fault empty_gemm_skipped() {
  return left_out({"empty_gemm_skipped", kind, 12, "NVIDIA/TransformerEngine #1246",
                   "a GEMM without products is skipped, and its output, which should be zero or the bias, not written"},
                  "the outputs of a GEMM that has nothing to sum are not written",
                  [](const Plan&, const PlanOp& op) { return has_no_products(op); });
}

Fault empty_gemm_without_bias() {
  return everywhere({"empty_gemm_without_bias", kind, 12, "NVIDIA/TransformerEngine #1246",
                     "a GEMM without products takes a shortcut that forgets the bias"},
                    "a GEMM that has nothing to sum does not add its bias",
                    on_each<Gemm>([](const Plan&, const PlanOp& op, Gemm& g) {
                      return has_no_products(op) && std::exchange(g.bias, std::nullopt).has_value();
                    }));
}

Fault single_row_not_sent() {
  return left_out(
      {"single_row_not_sent", kind, 12, "deepseek-ai/DeepEP #356, #360", "a message of one row counts as empty"},
      "messages of a single row are not sent, though they are announced", [](const Plan& plan, const PlanOp& op) {
        return is_push(plan, op) && std::get<Copy>(op.body).to.rows == 1 &&
               !is_in(plan, std::get<Copy>(op.body).to, ".scale_inv");
      });
}

}  // namespace

std::vector<Fault> zero_faults() { return {empty_gemm_without_bias(), empty_gemm_skipped(), single_row_not_sent()}; }

}  // namespace lockstep
