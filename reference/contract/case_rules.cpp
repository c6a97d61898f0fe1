// Which values of the case's keys go together.
#include "reference/contract/case.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

bool is_one_of(Method method, std::initializer_list<Method> allowed) {
  return std::ranges::find(allowed, method) != allowed.end();
}

// What the method would be if the line left it out.
Call with_default(Call call, Method Call::*method) {
  call.*method = Method::by_default;
  return call;
}

bool scatters_dgrad(const Call& call) { return call.is_backward() && !call.is_row() && call.frozen; }

void check_group(const Call& call) {
  if (call.is_layer() && call.tp == 1)
    refuse(
        "op={} tp=1: a group of one rank is never fused, so there is nothing to compare; take tp from 2 to {}, or a "
        "kernel (gemm_rs, ag_gemm, gemm_ar)",
        key_named("op").get(call), max_tp);
  if (!call.is_layer() && call.is_backward())
    refuse("op={} pass={}: a kernel has only pass=forward; backward is of row_linear and column_linear",
           key_named("op").get(call), key_named("pass").get(call));
}

void check_world(const Call& call) {
  if (call.ranks() % call.tp != 0)
    refuse("world={} tp={}: the world is dealt to groups of tp ranks, so world is a multiple of tp", call.ranks(),
           call.tp);
  if (is_grouped(call) && call.judge == JudgeChoice::relations)
    refuse(
        "judge=relations world={} groups={}: relations are between runs of one group, ranks 0 to tp - 1; leave world "
        "and groups out",
        call.ranks(), key_named("groups").get(call));
}

void check_methods(const Call& call) {
  const bool scatters = call.is_row() && call.op != Kernel::gemm_ar;
  if (call.is_forward() &&
      !(scatters ? is_one_of(call.method, {Method::pipeline, Method::ring_exchange, Method::accumulate})
                 : call.method == resolved(with_default(call, &Call::method)).method))
    refuse("op={} method={}: its method is {}", key_named("op").get(call), key_named("method").get(call),
           scatters        ? "pipeline, ring_exchange or accumulate"
           : call.is_row() ? "pipeline"
                           : "ring_exchange");
  if (!call.is_backward()) return;
  if (!(scatters_dgrad(call) ? is_one_of(call.dgrad, {Method::pipeline, Method::ring_exchange, Method::accumulate})
                             : call.dgrad == resolved(with_default(call, &Call::dgrad)).dgrad))
    refuse("op={} frozen={} dgrad={}: its dgrad is {}", key_named("op").get(call), call.frozen ? 1 : 0,
           key_named("dgrad").get(call),
           scatters_dgrad(call) ? "pipeline, ring_exchange or accumulate"
           : call.is_row()      ? "ring_exchange"
                                : "bulk");
}

bool reduces_by(const Call& call, Method method) { return reduces(call) && reducing_method(call) == method; }

bool gathers_in_a_ring(const Call& call) { return call.is_row() ? call.is_backward() : call.is_forward(); }

void check_variants(const Call& call) {
  if (call.aggregate && !gathers_in_a_ring(call))
    refuse("aggregate=1: only a ring all-gather has chunks to move in pairs: a column forward or a row backward");
  if (call.first_gemm && (call.op == Kernel::gemm_ar || !reduces_by(call, Method::pipeline)))
    refuse("first_gemm=1: only a pipeline with a reduce-scatter has a launch order; take first_gemm=0");
  if (call.accumulate && (!call.is_backward() || call.frozen))
    refuse("accumulate={}: only a backward pass with frozen=0 has a weight gradient to accumulate",
           key_named("accumulate").get(call));
  if (call.bias == BiasPlacement::after && call.op != Kernel::row_linear)
    refuse("op={} bias=after: only row_linear adds a bias after the reduction; take none or per_rank",
           key_named("op").get(call));
}

void check_wire(const Call& call) {
  if (reduces_by(call, Method::bulk) && (call.fp8_wire || call.wire != call.dtype))
    refuse("dgrad=bulk dtype={} wire={}: a bulk reduce-scatter sums the gradient in place, so wire is dtype",
           name(call.dtype), key_named("wire").get(call));
  if (!call.fp8_wire) return;
  if (call.recipe.kind != RecipeKind::delayed)
    refuse("wire=fp8 recipe={}: an FP8 wire takes its scale from the calls before, so its recipe is delayed",
           key_named("recipe").get(call));
  if (reduces_by(call, Method::accumulate))
    refuse("wire=fp8 with the method accumulate: the travelling sum takes f32, bf16 or fp16");
}

void check_executor(const Call& call) {
  if (takes_rank(call.executor.kind) && call.executor.seed >= static_cast<std::uint64_t>(call.ranks()))
    refuse("executor={} world={}: the {} rank is one of 0 to {}", key_named("executor").get(call), call.ranks(),
           call.executor.kind == ExecutorKind::late ? "late" : "fast", call.ranks() - 1);
}

void check_device(const Call& call) {
  if (call.executor.device == RunsOn::host) return;
  const ExecutorKind kind = call.executor.kind;
  if (kind == ExecutorKind::threads || kind == ExecutorKind::provenance)
    refuse(
        "device=cuda executor={}: threads and symbols are of the host; take sequential, adversary:SEED, pct:SEED, "
        "late:RANK, fast:RANK or mpi",
        key_named("executor").get(call));
  const bool is_known = call.arithmetic != Arithmetic::f32;  // where there are tensor cores for it
  const bool is_plain_float = !is_fp8(call.recipe) && call.dtype == DType::f32 && call.judge == JudgeChoice::bound;
  if (call.data >= Data::normal && !is_known && !is_plain_float)
    refuse(
        "device=cuda arithmetic=f32 data={}: the device sums in an order of its own, so its bits are known on exact "
        "data "
        "(planted), or where its tensor cores sum 16-bit or FP8 operands (arithmetic=hopper); of f32 operands take "
        "judge=bound",
        key_named("data").get(call));
}

void check_arithmetic(const Call& call) {
  if (call.arithmetic == Arithmetic::f32) return;
  const auto arithmetic = key_named("arithmetic").get(call);
  if (!is_fp8(call.recipe) && call.dtype == DType::f32)
    refuse("arithmetic={} dtype=f32 recipe=none: a tensor core takes operands of 16 bits or less; take bf16 or fp16",
           arithmetic);
}

bool is_plain_data(const Call& call) {
  return call.data == Data::rank_bits || call.data == Data::chunk_bits || call.data == Data::address ||
         call.data == Data::wild;
}

void check_data(const Call& call) {
  if (!is_plain_data(call)) return;
  if (is_fp8(call.recipe) || call.is_backward() || call.bias == BiasPlacement::after)
    refuse("data={}: goes with recipe=none pass=forward and a bias of none or per_rank; take planted or normal",
           key_named("data").get(call));
}

void check_sample(const Call& call) {
  if (call.sample == 0) return;
  if (call.judge == JudgeChoice::freivalds || call.judge == JudgeChoice::relations)
    refuse("sample={} judge={}: this judge looks at every element; take sample=0", call.sample,
           key_named("judge").get(call));
  if (call.fp8_wire || call.accumulate)
    refuse(
        "sample={} wire={} accumulate={}: an amax of partial sums or a main gradient needs every element; take "
        "sample=0",
        call.sample, key_named("wire").get(call), key_named("accumulate").get(call));
}

void check_judge(const Call& call) {
  if (call.judge != JudgeChoice::strongest && call.executor.kind == ExecutorKind::provenance)
    refuse("judge={} executor=provenance: symbols are judged by provenance; take judge=strongest",
           key_named("judge").get(call));
  if (call.judge == JudgeChoice::bound && call.data == Data::specials)
    refuse("judge=bound data=specials: an infinity or a NaN has no bound; take other data, or judge=strongest");
  if (call.judge == JudgeChoice::freivalds && call.data >= Data::normal)
    refuse("judge=freivalds data={}: only exact data are whole numbers; take planted", key_named("data").get(call));
}

void check_mixed(const Case& a_case) {
  if (!is_mixed(a_case)) return;
  for (const Call& call : a_case.calls) {
    if (call.recipe.kind == RecipeKind::delayed || call.accumulate)
      refuse(
          "recipe={} accumulate={}: scales and gradients are kept for one layer, so op and pass may not change from "
          "call to call",
          key_named("recipe").get(call), key_named("accumulate").get(call));
    if (call.judge == JudgeChoice::relations)
      refuse(
          "judge=relations: relations are of one operation and pass, so op and pass may not change from call to call");
  }
}

void check_kept_shapes(const Case& a_case) {
  for (const Call& call : a_case.calls)
    if (call.accumulate && (call.in != a_case.first().in || call.out != a_case.first().out))
      refuse("accumulate={}: one main gradient serves all calls, so in and out may not change from call to call",
             key_named("accumulate").get(call));
}

}  // namespace

void validate(const Case& a_case) {
  CHECK(!a_case.calls.empty(), "a case without a call");
  for (const Call& call : a_case.calls)
    for (auto check : {check_group, check_world, check_methods, check_variants, check_wire, check_executor,
                       check_device, check_arithmetic, check_data, check_sample, check_judge})
      check(call);
  check_kept_shapes(a_case);
  check_mixed(a_case);
}

}  // namespace lockstep
