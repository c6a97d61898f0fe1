// What a kernel is given: the inputs themselves, or codes and scales that stand for them, scaled as the reference's own
// calls are.
#include "oracle/kernel/kernel_operands.h"

#include "oracle/judges/expected.h"
#include "oracle/kernel/kernel_draw.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

KernelAbout of_everything() {
  KernelAbout about;
  about.name = "everything", about.ops = 0x3F;
  return about;
}

// Drawn, with a recipe or without as asked.
Case any_case(bool fp8) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (Index number = 0;; ++number) {
    const auto a_case = draw_for_kernel(of_everything(), seed, number, 0, 0, {});
    if (a_case && is_fp8(a_case->first().recipe) == fp8 && a_case->first().tokens > 0) return *a_case;
  }
}

RC_GTEST_PROP(KernelOperands, WithoutARecipeAreTheInputs, ()) {
  const Case a_case = any_case(false);
  const auto inputs = make_inputs(a_case);
  const auto operands = kernel_operands(a_case, inputs);
  RC_ASSERT(operands.size() == a_case.calls.size());
  for (std::size_t call = 0; call < operands.size(); ++call)
    for (const auto& [name, ranks] : operands[call]) RC_ASSERT(ranks == inputs[call].at(name));
}

// To nearest: off by no more than half a step of the format at the largest value of the tensor.
RC_GTEST_PROP(KernelOperands, CodesStandForTheInputs, ()) {
  const Case a_case = any_case(true);
  if (a_case.first().recipe.kind != RecipeKind::current) return;
  const auto inputs = make_inputs(a_case);
  const auto operands = kernel_operands(a_case, inputs);
  for (std::size_t call = 0; call < operands.size(); ++call)
    for (Role role : {Role::x, Role::w, Role::dy}) {
      const std::string named(name(role));
      if (!operands[call].contains(named)) continue;
      for (std::size_t rank = 0; rank < operands[call].at(named).size(); ++rank) {
        const Tensor &codes = operands[call].at(named)[rank], &is = inputs[call].at(named)[rank];
        RC_ASSERT(codes.dtype == fp8_type(role));
        const float scale = value_at(operands[call].at(scale_inv_name(role))[rank], 0, 0);
        for (Index i = 0; i < is.rows; ++i)
          for (Index j = 0; j < is.cols; ++j) {
            const float step = std::ldexp(std::abs(value_at(is, i, j)), -format(codes.dtype).fraction_bits);
            const float smallest = scale * std::ldexp(1.0f, -9);  // a subnormal's step, of either format
            RC_ASSERT(std::abs(value_at(codes, i, j) * scale - value_at(is, i, j)) <= step + smallest);
          }
      }
    }
}

// In call n the scale is what the reference has after n calls.
RC_GTEST_PROP(KernelOperands, DelayedScalesAreThoseThatTheCallsBeforeLeft, ()) {
  Case a_case = any_case(true);
  if (a_case.first().recipe.kind != RecipeKind::delayed) return;
  const auto inputs = make_inputs(a_case);
  const auto operands = kernel_operands(a_case, inputs);
  for (std::size_t call = 0; call < operands.size(); ++call) {
    const auto end = static_cast<std::ptrdiff_t>(call);
    const Case before{{a_case.calls.begin(), a_case.calls.begin() + end}};
    const NamedTensors left = call == 0 ? inputs[0] : expected(before, {inputs.begin(), inputs.begin() + end}).back();
    for (Role role : roles_of(problem_of(a_case.calls[call]), a_case.calls[call].pass))
      for (std::size_t rank = 0; rank < operands[call].at(scale_inv_name(role)).size(); ++rank)
        RC_ASSERT(value_at(operands[call].at(scale_inv_name(role))[rank], 0, 0) ==
                  1.0f / value_at(left.at(scale_name(role))[rank], 0, 0));
  }
}

RC_GTEST_PROP(KernelOperands, WhatIsGatheredHasOneScale, ()) {
  const Case a_case = any_case(true);
  const auto operands = kernel_operands(a_case, make_inputs(a_case));
  for (std::size_t call = 0; call < operands.size(); ++call)
    for (Role role : {Role::x, Role::dy}) {
      const auto found = operands[call].find(scale_inv_name(role));
      if (found == operands[call].end() || !is_gathered(problem_of(a_case.calls[call]), role)) continue;
      for (const Tensor& scale : found->second) RC_ASSERT(scale == found->second.front());
    }
}

}  // namespace
}  // namespace lockstep
