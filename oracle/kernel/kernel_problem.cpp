#include "oracle/kernel/kernel_problem.h"

#include "oracle/inputs/inputs.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

int op_of(const KernelAbout& about, const Call& call) {
  switch (call.op) {
    case Kernel::gemm_rs:
      return call.tp == 1 && !about.implements(LOCKSTEP_GEMM_RS) ? LOCKSTEP_GEMM : LOCKSTEP_GEMM_RS;
    case Kernel::ag_gemm:
      return LOCKSTEP_AG_GEMM;
    case Kernel::gemm_ar:
      return LOCKSTEP_GEMM_AR;
    case Kernel::row_linear:
      return LOCKSTEP_ROW_LINEAR;
    case Kernel::column_linear:
      break;
  }
  return LOCKSTEP_COLUMN_LINEAR;
}

bool has_tensor_cores(const Call& call) { return is_fp8(call.recipe) || call.dtype != DType::f32; }

std::string value(std::string_view key, const Call& call) {
  return fmt::format("{}={}", key, key_named(key).get(call));
}

std::string why_not_said(const Call& call) {
  if (!call.fault.empty()) return value("fault", call) + ": faults are put into Lockstep's own programs";
  if (call.executor.kind != ExecutorKind::sequential)
    return value("executor", call) + ": a kernel under test has its own order; leave executor out";
  if (call.counter != 0) return value("counter", call) + ": a kernel under test has its own counters; leave it out";
  if (is_grouped(call))
    return value("world", call) + " " + value("groups", call) + ": a kernel under test runs one group of ranks";
  if (has_block_scales(call.recipe))
    return value("recipe", call) + ": a tensor has one scale; take none, delayed or current";
  if (call.fp8_wire)
    return "wire=fp8: what a rank hands to a reduction has no scale of its own; take f32, bf16 or fp16";
  if (is_fp8(call.recipe) && call.is_backward() && call.bias != BiasPlacement::none)
    return value("recipe", call) + " " + value("bias", call) +
           ": a bias gradient is the sum of dY before it is quantised, which a kernel does not get; take bias=none";
  if (call.data == Data::specials) return "data=specials: no bound holds an infinity or a NaN; take other data";
  if (call.judge == JudgeChoice::relations)
    return "judge=relations: relations are between programs of Lockstep's own; take strongest, bound or freivalds";
  return "";
}

std::string why_not_had(const KernelAbout& about, const Call& call) {
  if (!about.implements(op_of(about, call)))
    return fmt::format("{} {}: {} implements {}", value("op", call), value("tp", call), about.name,
                       ops_in_words(about));
  if (about.memory == RunsOn::host && call.executor.device == RunsOn::cuda)
    return fmt::format("device=cuda: {} computes in the memory of the host", about.name);
  if (call.tp < about.min_ranks || call.tp > about.max_ranks)
    return fmt::format("tp={}: {} takes {} to {} ranks", call.tp, about.name, about.min_ranks, about.max_ranks);
  const auto not_a_multiple = [&](std::string_view key, Index size, Index multiple) {
    return size % multiple == 0 ? "" : fmt::format("{}={}: {} takes multiples of {}", key, size, about.name, multiple);
  };
  std::string why = not_a_multiple("tokens", call.tokens, tokens_multiple(about, call));
  if (why.empty()) why = not_a_multiple("in", call.in, in_multiple(about, call));
  return why.empty() ? not_a_multiple("out", call.out, out_multiple(about, call)) : why;
}

}  // namespace

Index tokens_multiple(const KernelAbout& about, const Call& call) {
  return about.tokens_multiple * (about.even_shards && call.op != Kernel::gemm_ar ? call.tp : 1);
}
Index in_multiple(const KernelAbout& about, const Call& call) {
  return about.in_multiple * (about.even_shards && call.is_row() ? call.tp : 1);
}
Index out_multiple(const KernelAbout& about, const Call& call) {
  return about.out_multiple * (about.even_shards && !call.is_row() ? call.tp : 1);
}

lockstep_problem kernel_problem(const KernelAbout& about, const Call& call) {
  const bool fp8 = is_fp8(call.recipe);
  const auto type = [](DType dtype) { return static_cast<std::int32_t>(dtype); };
  const bool travels = reduces(call) && reducing_method(call) == Method::accumulate;
  lockstep_problem p{};
  p.size = sizeof p;
  p.op = op_of(about, call);
  p.pass = (call.is_forward() ? LOCKSTEP_FORWARD : 0) | (call.is_backward() ? LOCKSTEP_BACKWARD : 0);
  p.ranks = static_cast<std::int32_t>(call.tp);
  p.tokens = call.tokens, p.in = call.in, p.out = call.out;
  p.dtype = type(call.dtype);
  p.operand = type(fp8 ? fp8_type(Role::x) : call.dtype);
  p.gradient = type(fp8 ? fp8_type(Role::dy) : call.dtype);
  p.wire = type(call.wire);
  p.bias = static_cast<std::int32_t>(call.bias);
  p.reduction = travels ? LOCKSTEP_TRAVELLING : LOCKSTEP_AT_ONCE;
  p.splits = static_cast<std::int32_t>(call.splits);
  p.frozen = call.is_backward() && call.frozen;
  p.main_grad = call.accumulate.has_value();
  p.main_grad_dtype = type(call.accumulate.value_or(call.dtype));
  return p;
}

Case for_kernel(const KernelAbout& about, Case a_case) {
  for (Call& call : a_case.calls) {
    if (about.memory == RunsOn::cuda) call.executor.device = RunsOn::cuda;
    if (about.memory == RunsOn::cuda && call.arithmetic == Arithmetic::f32 && has_tensor_cores(call))
      call.arithmetic = Arithmetic::hopper;
    if (call.judge == JudgeChoice::strongest && !is_exact(call.data)) call.judge = JudgeChoice::bound;
  }
  return a_case;
}

std::string why_not_for_kernel(const KernelAbout& about, const Case& a_case) {
  for (const Call& call : a_case.calls) {
    if (std::string why = why_not_said(call); !why.empty()) return why;
    if (std::string why = why_not_had(about, call); !why.empty()) return why;
  }
  return "";
}

}  // namespace lockstep
