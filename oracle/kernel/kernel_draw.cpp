#include "oracle/kernel/kernel_draw.h"

#include "oracle/inputs/budget.h"
#include "oracle/inputs/random.h"
#include "oracle/kernel/kernel_problem.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

// Of the methods of a reduction a kernel is asked for two: its parts rounded at once, or a sum that travels.
bool is_of_the_interface(const Cell& cell) {
  const Call call = with_cell({}, cell);
  const auto is_known = [&](Method Call::*method) {
    Call plain = call;
    plain.*method = Method::by_default;
    return call.*method == Method::accumulate || call.*method == resolved(plain).*method;
  };
  const bool has_bias_gradient = call.is_backward() && call.bias != BiasPlacement::none;
  return !cell.aggregate && !has_block_scales(call.recipe) && !(is_fp8(call.recipe) && has_bias_gradient) &&
         is_known(&Call::method) && is_known(&Call::dgrad);
}

bool is_had(const KernelAbout& about, const Cell& cell) {
  Call call = with_cell({}, cell);
  call.tp = cell.op == Kernel::gemm_rs && !about.implements(LOCKSTEP_GEMM_RS) ? 1 : std::max<Index>(2, about.min_ranks);
  call.tokens = call.in = call.out = 0;  // a multiple of anything
  return is_of_the_interface(cell) && why_not_for_kernel(about, {{call}}).empty();
}

// Within the ranks that it takes; a layer has two or more, a GEMM alone one.
Index ranks_for(const KernelAbout& about, const Call& call) {
  if (call.op == Kernel::gemm_rs && !about.implements(LOCKSTEP_GEMM_RS)) return 1;
  const Index least = std::max<Index>(about.min_ranks, call.is_layer() ? 2 : 1), most = about.max_ranks;
  return call.tp >= least && call.tp <= most ? call.tp : least + call.tp % std::max<Index>(1, most - least + 1);
}

Index round_up(Index n, Index multiple) { return (n + multiple - 1) / multiple * multiple; }

void fit(Call& call, const KernelAbout& about) {
  call.tp = ranks_for(about, call);
  call.tokens = round_up(call.tokens, tokens_multiple(about, call));
  call.in = round_up(call.in, in_multiple(about, call));
  call.out = round_up(call.out, out_multiple(about, call));
  call.counter = 0, call.first_gemm = false;
  if (call.fp8_wire) call.fp8_wire = false, call.wire = call.dtype;
}

// The order of summation is the kernel's own, and no cell of ours fixes it.
Fixed fixed_for(const KernelAbout& about, Fixed fixed, const Cell& cell) {
  fixed.cell = cell;
  fixed.one_group = true;
  fixed.executor = Executor{};
  fixed.device = about.memory;
  if (about.memory == RunsOn::host && !fixed.arithmetic) fixed.arithmetic = Arithmetic::f32;
  return fixed;
}

bool can_be_made(const KernelAbout& about, const Case& a_case) try {
  validate(a_case);
  return why_not_for_kernel(about, a_case).empty() && (a_case.first().data != Data::planted || has_room(a_case));
} catch (const Refusal&) {
  return false;
}

}  // namespace

std::optional<Case> draw_for_kernel(const KernelAbout& about, std::uint64_t seed, Index number, Index turn,
                                    Index attempt, const Fixed& fixed) {
  const auto cells = cells_where([&](const Cell& cell) { return is_had(about, cell); });
  if (cells.empty()) return {};
  const std::uint64_t of_turn = turn == 0 ? seed : mix(seed, static_cast<std::uint64_t>(turn));
  Random random(of_turn, number, 0xCE11u);
  const Cell& cell = random.one_of(cells);
  Case a_case = draw_case(of_turn, number, attempt, fixed_for(about, fixed, cell));
  for (Call& call : a_case.calls) fit(call, about);
  a_case = for_kernel(about, std::move(a_case));
  if (!can_be_made(about, a_case)) return {};
  return a_case;
}

}  // namespace lockstep
